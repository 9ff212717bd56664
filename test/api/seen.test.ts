import { expect, it } from 'vitest'
import type { SessionSummary } from '../../shared/api/sessions.ts'
import type { AppClient } from '../../shared/api/contract.ts'
import { SessionId } from '../../shared/lib/ids.ts'
import { openDesk } from './support/served-desk.ts'

/** What a window is told of the sessions that were seen, until it fits. */
async function told(
  client: AppClient,
  fits: (seen: Readonly<Record<string, number>>) => boolean,
): Promise<Readonly<Record<string, number>>> {
  const end = new AbortController()
  try {
    for await (const seen of client.sessions.seen({}, end.signal)) if (fits(seen)) return seen
  } finally {
    end.abort()
  }
  throw new Error('The stream ended.')
}

/** A session as the list has it. */
async function listed(client: AppClient, sessionId: SessionId): Promise<SessionSummary> {
  const end = new AbortController()
  try {
    for await (const item of client.sessions.list({}, end.signal)) {
      const all = item.kind === 'all' ? item.sessions : [item.session]
      const own = all.find((one) => one.sessionId === sessionId)
      if (own) return own
    }
  } finally {
    end.abort()
  }
  throw new Error('The session is not listed.')
}

it('that a session was seen is known to every window, and after the next start', async () => {
  const desk = await openDesk()
  const sessionId = await desk.session()
  expect(await told(desk.client, () => true)).toEqual({})
  const elsewhere = told(desk.window(), (seen) => sessionId in seen)
  const { cursor } = await listed(desk.client, sessionId)
  // not more than there is, and never less than before
  expect(await desk.client.sessions.see({ sessionId, cursor: cursor + 7 })).toEqual({ ok: true })
  expect(await desk.client.sessions.see({ sessionId, cursor: 0 })).toEqual({ ok: true })
  const seen = await elsewhere
  expect(Object.keys(seen)).toEqual([sessionId])
  expect(seen[sessionId]).toBe(cursor)
  const again = await desk.again()
  expect(await told(again.client, () => true)).toEqual(seen)
})

it('a session that does not exist cannot be seen', async () => {
  const desk = await openDesk()
  expect(await desk.client.sessions.see({ sessionId: SessionId.parse('s_nobodys'), cursor: 3 })).toEqual({ ok: true })
  expect(await told(desk.client, () => true)).toEqual({})
  expect(desk.bugs).toEqual([])
})
