import { describe, expect, it } from 'vitest'
import type { SessionSummary } from '../../shared/api/sessions.ts'
import type { AppClient } from '../../shared/api/contract.ts'
import { SessionId } from '../../shared/lib/ids.ts'
import { openDesk } from './support/served-desk.ts'

type Marks = Readonly<Record<string, number>>

/** The two kinds of marks, each with the endpoint that a window uses to watch the marks and the one that it uses to set a mark. */
const KINDS = [
  {
    kind: 'seen',
    watch: ({ sessions }: AppClient, signal: AbortSignal) => sessions.seen({}, signal),
    set: ({ sessions }: AppClient) => sessions.see,
  },
  {
    kind: 'dismissed',
    watch: ({ sessions }: AppClient, signal: AbortSignal) => sessions.dismissed({}, signal),
    set: ({ sessions }: AppClient) => sessions.dismiss,
  },
] as const

/** Resolves with the first marks that a window receives and that match. */
async function marks(watch: (signal: AbortSignal) => AsyncIterable<Marks>, matches: (all: Marks) => boolean = () => true): Promise<Marks> {
  const end = new AbortController()
  try {
    for await (const all of watch(end.signal)) if (matches(all)) return all
  } finally {
    end.abort()
  }
  throw new Error('The stream ended.')
}

/** Returns the session's entry in the list of sessions. */
async function listed(client: AppClient, sessionId: SessionId): Promise<SessionSummary> {
  const end = new AbortController()
  try {
    for await (const item of client.sessions.list({}, end.signal)) {
      const all = item.kind === 'all' ? item.sessions : item.kind === 'changed' ? [item.session] : []
      const own = all.find((one) => one.sessionId === sessionId)
      if (own) return own
    }
  } finally {
    end.abort()
  }
  throw new Error('The session is not listed.')
}

describe.each(KINDS)('the "$kind" mark of a session', ({ watch, set }) => {
  it('reaches every window, survives a restart, and moves only forward and only to an existing event', async () => {
    const desk = await openDesk()
    const sessionId = await desk.session()
    const mark = set(desk.client)
    const other = desk.window()
    expect(await marks((signal) => watch(desk.client, signal))).toEqual({})
    const elsewhere = marks(
      (signal) => watch(other, signal),
      (all) => sessionId in all,
    )
    const { cursor } = await listed(desk.client, sessionId)
    expect(await mark({ sessionId, cursor: cursor + 7 })).toEqual({ ok: true })
    expect(await mark({ sessionId, cursor: 0 })).toEqual({ ok: true })
    expect(await elsewhere).toEqual({ [sessionId]: cursor })
    const again = await desk.again()
    expect(await marks((signal) => watch(again.client, signal))).toEqual({ [sessionId]: cursor })
  })

  it('is not stored for a session that does not exist', async () => {
    const desk = await openDesk()
    expect(await set(desk.client)({ sessionId: SessionId.parse('s_nobodys'), cursor: 3 })).toEqual({ ok: true })
    expect(await marks((signal) => watch(desk.client, signal))).toEqual({})
    expect(desk.bugs).toEqual([])
  })
})

it('the marks “seen” and “dismissed” are stored separately', async () => {
  const { client, session } = await openDesk()
  const sessionId = await session()
  await client.sessions.see({ sessionId, cursor: 1 })
  expect(await marks((signal) => client.sessions.dismissed({}, signal))).toEqual({})
})
