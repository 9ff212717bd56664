import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { call, calls, gate, say } from '../support/scripted-model.ts'
import { openDesk } from './support/served-desk.ts'

/** Only a failing test waits this long. */
const WITHIN = { timeout: 20_000 }

it('a turn counts as running until it ends or waits for the user', async () => {
  const answer = gate()
  const desk = await openDesk(async ({ index }) => {
    if (index > 0) return calls(call('write_file', { file_path: 'a.txt', content: 'new\n' }))
    await answer.opened
    return say('Done.')
  })
  const sessionId = await desk.session('ask')
  await desk.client.sessions.send({ sessionId, inputId: 'one', text: 'one', delivery: 'queue' })
  await vi.waitFor(() => expect(desk.activity).toEqual([true]), WITHIN)
  answer.open()
  await vi.waitFor(() => expect(desk.activity).toEqual([true, false]), WITHIN)
  await desk.client.sessions.send({ sessionId, inputId: 'two', text: 'two', delivery: 'queue' })
  await vi.waitFor(() => expect(desk.activity).toEqual([true, false, true, false]), WITHIN)
})

it('a command in the background counts as running until it ends', async () => {
  const desk = await openDesk([
    calls(call('shell', { command: 'until [ -e go ]; do sleep 0.02; done', run_in_background: true })),
    say('Started.'),
    calls(call('shell', { command: 'touch go' })),
    say('Ended.'),
  ])
  const sessionId = await desk.session('full')
  await desk.client.sessions.send({ sessionId, inputId: 'one', text: 'one', delivery: 'queue' })
  await desk.model.request(1)
  await desk.client.sessions.send({ sessionId, inputId: 'two', text: 'two', delivery: 'queue' })
  await desk.model.request(3)
  await vi.waitFor(() => expect(desk.activity.at(-1)).toBe(false), WITHIN)
  expect(desk.activity).toContain(true)
})

async function openOwnTerminal() {
  vi.stubEnv('SHELL', '/bin/sh')
  onTestFinished(() => void vi.unstubAllEnvs())
  const desk = await openDesk()
  const sessionId = await desk.session()
  const opened = await desk.client.terminals.openOwn({ sessionId, words: '' })
  if (!opened.ok) throw new Error(opened.trouble.what)
  return { desk, own: { sessionId, toolCallId: opened.toolCallId } }
}

it('the end of the user’s own terminal is reported, so that a question before quitting can close', async () => {
  const { desk, own } = await openOwnTerminal()
  await desk.client.terminals.write({ ...own, data: 'sleep 600\r' })
  await vi.waitFor(() => expect(desk.working()).toEqual([{ title: 'New session', what: 'your terminal' }]), WITHIN)
  const before = desk.activity.length
  await desk.client.terminals.end(own)
  await vi.waitFor(() => expect(desk.working()).toEqual([]), WITHIN)
  await vi.waitFor(() => expect(desk.activity.length).toBeGreaterThan(before), WITHIN)
  expect(desk.activity.at(-1)).toBe(false)
})

// Other systems do not say at once what a shell has started.
it.skipIf(process.platform !== 'linux')('a shell of the user that waits at its prompt does not count as running work', async () => {
  const { desk, own } = await openOwnTerminal()
  await desk.client.terminals.write({ ...own, data: `sh -c 'touch begun; until [ -e go ]; do sleep 0.02; done'\r` })
  await vi.waitFor(() => expect(existsSync(join(desk.folder, 'begun'))).toBe(true), WITHIN)
  expect(desk.working()).toHaveLength(1)
  writeFileSync(join(desk.folder, 'go'), '')
  await vi.waitFor(() => expect(desk.working()).toEqual([]), WITHIN)
  await desk.client.terminals.write({ ...own, data: 'sleep 600 &\r' })
  await vi.waitFor(() => expect(desk.working()).toHaveLength(1), WITHIN)
})

it('a session with an open request counts until it is answered, and its folder is the newest', async () => {
  const desk = await openDesk([calls(call('write_file', { file_path: 'a.txt', content: 'new\n' })), say('Done.')])
  const sessionId = await desk.session('ask')
  await vi.waitFor(() => expect(desk.recent()).toEqual([desk.folder]), WITHIN)
  await desk.client.sessions.send({ sessionId, inputId: 'one', text: 'one', delivery: 'queue' })
  await vi.waitFor(() => expect(desk.needs).toEqual([0, 1]), WITHIN)
  await desk.client.sessions.stop({ sessionId })
  await vi.waitFor(() => expect(desk.needs).toEqual([0, 1, 0]), WITHIN)
})
