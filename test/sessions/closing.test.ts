import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, calls, say } from '../support/scripted-model.ts'
import { openOffice, value } from './support/office.ts'

const input = (text: string) => ({ inputId: `in_${text}`, text, delivery: 'queue' }) as const

test('a session that is reopened while it closes keeps its claim, and no step runs twice', async () => {
  const office = await openOffice(({ body }) =>
    JSON.stringify(body.messages.at(-1)).includes('Append') ? calls(call('shell', { command: 'echo ran >> count.txt' })) : say('Done.'),
  )
  const old = await office.create('full')
  const { sessionId } = old
  const closed = office.sessions.close(sessionId)
  const session = value(await office.sessions.open(sessionId))
  await closed
  expect(session).not.toBe(old)
  expect(session.running()).not.toBe(null)
  expect(office.store.claims.holder(sessionId)).toMatchObject({ here: true })

  const other = await office.next()
  const follower = value(await other.sessions.open(sessionId))
  expect(follower.running()).toBe(null)
  await follower.send(input('Append'))
  await session.record.until(() => (session.record.state().ended === 'completed' ? true : null), AbortSignal.timeout(60_000))
  expect(await readFile(join(office.folder, 'count.txt'), 'utf8')).toBe('ran\n')
  expect(office.model.requests.length).toBe(2)
})

test('using a closed session throws an error and writes nothing to the log', async () => {
  const office = await openOffice([say('Never asked.')])
  const old = await office.create('full')
  const closed = office.sessions.close(old.sessionId)
  expect(await old.send(input('Hello'))).toMatchObject({ ok: false, trouble: { code: 'session_closed_here' } })
  await closed
  expect([...office.store.log(old.sessionId).read()].map(({ event }) => event.kind)).toEqual(['SESSION_START', 'SESSION_END'])
})

test('two simultaneous calls close a session only once', async () => {
  const office = await openOffice([])
  const { sessionId } = await office.create('full')
  await Promise.all([office.sessions.close(sessionId), office.sessions.close(sessionId)])
  expect([...office.store.log(sessionId).read()].map(({ event }) => event.kind)).toEqual(['SESSION_START', 'SESSION_END'])
  expect(office.store.claims.holder(sessionId)).toBe(null)
})
