import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { call, calls, say, startScriptedModel } from '../support/scripted-model.ts'
import { expectAllSameAfterImport } from '../transfer/support/same-fold.ts'
import { openFarDesk } from './support/far-desk.ts'
import { buildGuest, processesNaming } from './support/ssh-server.ts'
import { testMachine } from './support/wire.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ANSWERS = [
  calls(call('read', { file_path: 'a.txt' })),
  calls(call('edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'hello there' })),
  calls(call('shell', { command: 'echo run >> runs.txt; cat a.txt' })),
  calls(call('grep', { pattern: 'hello' })),
]

async function project() {
  const base = temporaryFolder('killed')
  const folder = join(base, 'project')
  mkdirSync(folder)
  writeFileSync(join(folder, 'a.txt'), 'hello\n')
  const model = await startScriptedModel(({ index }) => ANSWERS[index] ?? say('Done.'))
  onTestFinished(() => model.close())
  return { base, folder, address: `ssh://box${folder}`, model }
}

/** Nothing is half written, and nothing has run twice. */
function expectWhole(folder: string): void {
  expect(['hello\n', 'hello there\n']).toContain(readFileSync(join(folder, 'a.txt'), 'utf8'))
  const others = readdirSync(folder).filter((name) => name !== 'a.txt')
  expect([[], ['runs.txt']]).toContainEqual(others)
  if (others.length > 0) expect(readFileSync(join(folder, 'runs.txt'), 'utf8')).toBe('run\n')
}

const nothingRuns = (base: string): Promise<boolean> => vi.waitUntil(() => processesNaming(base).length === 0, { timeout: 30_000 })

beforeAll(buildGuest, 120_000)

test.each([2, 4, 7, 10, 13, 17, 21, 25])('the far half is killed before message %s: the session goes on with a new one', async (before) => {
  const { base, folder, address, model } = await project()
  let crossed = 0
  let isOpen = false
  let pid = 0
  const machine = testMachine(base, () => ({
    onMessage({ message }) {
      if (message.kind === 'ready') pid = Number(message.pid)
      if (isOpen && ++crossed === before) process.kill(pid, 'SIGKILL')
    },
  }))
  const desk = await openFarDesk({ base, folder: address, modelUrl: model.url, connectBy: machine.connectBy, sandbox: 'off' })
  isOpen = true
  const sessionId = await desk.session('full').catch(() => desk.session('full'))
  await desk.turn(sessionId)
  expectWhole(folder)
  await desk.turn(sessionId)
  expect(crossed).toBeGreaterThanOrEqual(before)
  expect(model.requests.length).toBeGreaterThanOrEqual(6)
  await desk.close()
  await nothingRuns(base)
})

test.each([3, 9, 14, 18, 22, 26, 30, 34])(
  'the desk is killed before message %s: its history is whole, and the session goes on',
  async (before) => {
    const { base, folder, address, model } = await project()
    const script = new URL('./support/near-desk.ts', import.meta.url).pathname
    const near = spawn(process.execPath, [script, base, address, model.url, String(before), '2000'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    expect(await once(near, 'close')).toEqual([null, 'SIGKILL'])
    expectWhole(folder)
    const machine = testMachine(base, () => ({}))
    const desk = await openFarDesk({
      base,
      data: 'data',
      folder: address,
      modelUrl: model.url,
      connectBy: machine.connectBy,
      sandbox: 'off',
    })
    await desk.turn(await desk.session('full'))
    expectWhole(folder)
    await desk.close()
    await expectAllSameAfterImport(join(base, 'data'))
    // The far half of the killed desk ends by itself, because nobody comes back.
    await nothingRuns(base)
  },
)
