import { join } from 'node:path'
import { spawn } from 'node-pty'
import { expect, onTestFinished, test } from 'vitest'
import { call, calls, say, startScriptedModel } from '../support/scripted-model.ts'
import { temporaryFolder } from './support/agent-process.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Runs a task whose first call asks on a real terminal, and types `keys` at that question. */
async function answering(keys: string) {
  const model = await startScriptedModel([calls(call('shell', { command: 'echo ran > proof' })), say('All said.')])
  onTestFinished(() => model.close())
  const [cwd, data] = [await temporaryFolder('project'), await temporaryFolder('data')]
  const args = ['--import', './main/preflight.mjs', 'main/run.ts', '--cwd', cwd, '--data', data, 'Do it']
  const env = { PATH: process.env['PATH'] ?? '', HOME: data, ANTHROPIC_API_KEY: 'sk-ant-test-canary', ANTHROPIC_BASE_URL: model.url }
  const child = spawn(process.execPath, args, { cwd: ROOT, env, cols: 200 })
  let [screen, typed] = ['', false]
  child.onData((text) => {
    screen += text
    if (typed || !screen.includes('Sign it?')) return
    typed = true
    child.write(keys)
  })
  const code = await new Promise<number>((done) => child.onExit(({ exitCode }) => done(exitCode)))
  return { code, stack: /\n\s+at .*:\d+/.test(screen), requests: model.requests.length, refused: screen.includes('Refused') }
}

test('Ctrl+C at the question stops the turn, without a stack', async () => {
  expect(await answering('\u0003')).toEqual({ code: 1, stack: false, requests: 1, refused: false })
})

test('Ctrl+D at the question refuses, and the agent goes on', async () => {
  expect(await answering('\u0004')).toEqual({ code: 0, stack: false, requests: 2, refused: true })
})
