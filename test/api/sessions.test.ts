import { expect, it } from 'vitest'
import { SessionId } from '../../shared/lib/ids.ts'
import { say } from '../support/scripted-model.ts'
import { openDesk, staying, until } from './support/served-desk.ts'

const unknown = SessionId.parse('s_none')

it('opening a session that does not exist reports the reason and ends the stream', async () => {
  const { client, bugs } = await openDesk()
  for (const cursor of [null, 7])
    expect(await until(client.sessions.open({ sessionId: unknown, cursor }, staying()))).toEqual([
      { kind: 'reset', why: 'This session does not exist. Choose a session from the list.' },
    ])
  expect(await client.sessions.page({ sessionId: unknown, before: 10, limit: 10 })).toEqual({ firstItem: 0, items: [] })
  expect(await client.changes.list({ sessionId: unknown })).toEqual({ files: [], subagents: [] })
  expect(await client.sessions.stop({ sessionId: unknown })).toMatchObject({ ok: false, trouble: { code: 'no_session' } })
  expect(bugs).toEqual([])
})

it('the stream of an existing session begins with a snapshot', async () => {
  const desk = await openDesk()
  const sessionId = await desk.session()
  const [first] = await until(desk.client.sessions.open({ sessionId, cursor: null }, staying()), () => true)
  expect(first).toMatchObject({ kind: 'snapshot', state: { sessionId, cwd: desk.folder, items: [] } })
})

it('an empty session can be discarded, and one in which something was said stays', async () => {
  const desk = await openDesk([say('Done.')])
  const { client } = desk
  const sessionId = await desk.session()
  expect(await client.sessions.discardEmpty({ sessionId })).toEqual({ ok: true })
  const listed = await until(client.sessions.list({}, staying()), () => true)
  expect(listed).toMatchObject([{ sessions: [] }])
  const used = await desk.session()
  await client.sessions.send({ sessionId: used, inputId: 'in_1', text: 'Go', delivery: 'queue' })
  expect(await client.sessions.discardEmpty({ sessionId: used })).toMatchObject({ ok: false, trouble: { code: 'session_not_empty' } })
})
