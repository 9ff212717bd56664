import { expect, test } from 'vitest'
import type { SessionListItem } from '../../shared/api/sessions.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { opened } from '../store/support/stores.ts'
import { KEY, openDesk, type ServedDesk, staying, until } from './support/served-desk.ts'

let inputs = 0
async function ask({ client }: ServedDesk, sessionId: SessionId, text: string): Promise<void> {
  const isDone = (item: SessionListItem): boolean =>
    (item.kind === 'all' ? item.sessions : item.kind === 'changed' ? [item.session] : []).some(
      (one) => one.sessionId === sessionId && one.run === 'IDLE' && one.turnEnd > 0,
    )
  await client.sessions.send({ sessionId, inputId: `in_${++inputs}`, text, delivery: 'queue' })
  await until(client.sessions.list({}, staying()), isDone)
}

async function remove({ client }: ServedDesk, sessionId: SessionId) {
  const weighed = await client.storage.weigh({ sessionIds: [sessionId] })
  if (!weighed.ok) throw new Error(weighed.trouble.what)
  return client.storage.delete({ sessionIds: [sessionId], shown: weighed.weight })
}

/** Starts two apps over the same data. The first app has a session with a large file, and the second app shows that session. */
async function twoApps() {
  const first = await openDesk([calls(call('write_file', { file_path: 'a.txt', content: 'a'.repeat(20_000) })), say('One.'), say('Two.')])
  const sessionId = await first.session()
  await ask(first, sessionId, 'first')
  const second = await first.beside()
  await second.client.settings.setKey({ provider: 'anthropic', key: KEY })
  await until(second.client.sessions.open({ sessionId, cursor: null }, staying()), ({ kind }) => kind === 'snapshot')
  return { first, second, sessionId }
}

test('a session deleted in one app disappears from another app that shows it, and nothing can be sent to it', async () => {
  const { first, second, sessionId } = await twoApps()
  const list = second.client.sessions.list({}, staying())
  expect(await remove(first, sessionId)).toMatchObject({ kind: 'deleted' })
  await until(list, (item) => item.kind === 'removed' && item.sessionId === sessionId)
  const sent = await second.client.sessions.send({ sessionId, inputId: 'late', text: 'late', delivery: 'queue' })
  expect(sent).toMatchObject({ ok: false, trouble: { code: expect.stringMatching(/session_deleted|no_session/) as string } })
  const store = await opened(first.data)
  expect([[...store.log(sessionId).read()], store.health()]).toEqual([[], { trouble: null, onDisk: 0, listed: 0 }])
  expect([first.bugs, second.bugs, first.model.requests.length]).toEqual([[], [], 2])
})

test('unused data is not cleaned up while another app may still need it', async () => {
  const { first, second, sessionId } = await twoApps()
  expect(await first.client.storage.clean({})).toMatchObject({ kind: 'refused', trouble: { code: 'storage_shared' } })
  const hash = (await opened(first.data)).blobs.put(Buffer.alloc(20_000, 'a'))
  expect(await remove(first, sessionId)).toMatchObject({ kind: 'deleted' })
  expect((await opened(first.data)).blobs.has(hash)).toBe(true)
  expect(second.bugs).toEqual([])
})
