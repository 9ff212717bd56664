import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, calls, say } from '../support/scripted-model.ts'
import { openOffice } from './support/office.ts'

const input = (text: string) => ({ inputId: `in_${text}`, text, delivery: 'queue' }) as const
const last = (body: { readonly messages: readonly unknown[] }) => JSON.stringify(body.messages.at(-1))

test('a step that waited for another session’s step in the same folder is judged by the mode at the end of the wait', async () => {
  const office = await openOffice(({ body }) => {
    if (last(body).includes('Hold')) return calls(call('shell', { command: 'touch held; while [ ! -e go ]; do sleep 0.02; done' }))
    if (last(body).includes('Write')) return calls(call('write_file', { file_path: 'new.txt', content: 'x' }))
    return say('Done.')
  })
  const first = await office.create('full')
  const second = await office.create('full')
  await first.send(input('Hold'))
  await expect.poll(() => existsSync(join(office.folder, 'held'))).toBe(true)
  await second.send(input('Write'))
  await second.record.until(() => (second.record.state().open.length > 0 ? true : null), AbortSignal.timeout(60_000))
  expect(await second.configure({ mode: 'plan' })).toEqual({ ok: true })
  writeFileSync(join(office.folder, 'go'), '')
  await second.record.until(() => (second.record.state().ended === 'completed' ? true : null), AbortSignal.timeout(60_000))
  expect(existsSync(join(office.folder, 'new.txt'))).toBe(false)
  const ends = [...office.store.log(second.sessionId).read()].flatMap(({ event }) =>
    event.kind === 'TOOL_CALL_END' ? [event.outcome] : [],
  )
  expect(ends).toEqual(['barred'])
})

test('a stop still prevents a write whose start is already in the log', async () => {
  const office = await openOffice([calls(call('write_file', { file_path: 'new.txt', content: 'x' })), say('Done.')])
  const session = await office.create('full')
  session.record.subscribe(({ event }) => {
    if (event.kind === 'TOOL_EXECUTION_START') void session.stop()
  })
  await session.send(input('Write'))
  await session.record.until(() => (session.record.state().ended === 'stopped' ? true : null), AbortSignal.timeout(60_000))
  expect(existsSync(join(office.folder, 'new.txt'))).toBe(false)
})
