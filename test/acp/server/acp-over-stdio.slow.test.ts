import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { ndJsonStream } from '@agentclientprotocol/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { agentArgs, cleanEnv, ROOT, runAgent } from '../../headless/support/agent-process.ts'
import { place } from '../../headless/support/model-place.ts'
import { call, calls, say } from '../../support/scripted-model.ts'
import { openEditor } from './support/editor.ts'

test('an editor runs a turn over standard input and output; only messages are printed, and the process ends with its input', async () => {
  const at = await place([calls(call('write_file', { file_path: 'a.txt', content: 'hello\n' })), say('Written.')])
  const child = spawn(process.execPath, agentArgs(['--acp'], at), { cwd: ROOT, env: { ...cleanEnv(), ...at.env }, stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const input = new ReadableStream<Uint8Array>({
    start(controller) {
      child.stdout.on('data', (chunk: Buffer) => controller.enqueue(new Uint8Array(chunk)))
      child.stdout.on('end', () => controller.close())
    },
  })
  const editor = openEditor(ndJsonStream(Writable.toWeb(child.stdin), input))
  await editor.initialize()
  const { sessionId } = await editor.agent.request('session/new', { cwd: at.cwd, mcpServers: [] })
  const answer = await editor.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Write' }] })
  expect(answer).toEqual({ stopReason: 'end_turn' })
  expect(await readFile(join(at.cwd, 'a.txt'), 'utf8')).toBe('hello\n')
  const exit = once(child, 'exit')
  child.stdin.end()
  expect(await exit).toEqual([0, null])
  const lines = printed.trimEnd().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { readonly jsonrpc: string }).jsonrpc)).toEqual(lines.map(() => '2.0'))
})

test('--acp takes no task', async () => {
  const at = await place([])
  const outcome = await runAgent(['--acp', 'task'], at)
  expect({ code: outcome.code, stderr: outcome.stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--acp takes no task') as string,
  })
})
