import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findProgram } from '../../../main/environment/process/find-program.ts'
import { agentArgs, cleanEnv, ROOT } from '../../headless/support/agent-process.ts'
import { asked, place } from '../../headless/support/model-place.ts'
import { call, calls, say } from '../../support/scripted-model.ts'
import { type Message, startStdioAgent } from './support/stdio.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/**
 * The messages of a session in the editor Zed, in their order: `$CWD` is the folder and `$SESSION` the id that the agent has given. They
 * follow Zed's public source (`crates/agent_servers/src/acp.rs`, commit 0038d2e2) and reports of its traffic, not a recording of our own.
 */
const ZED = join(ROOT, 'test/fixtures/acp/zed-session.jsonl')

test('the messages that Zed sends: list, new, option, prompts with context, cancel, close, load', async () => {
  const write = (path: string) => calls(call('write_file', { file_path: path, content: 'hello\n' }))
  const at = await place([write('a.txt'), say('Written.'), write('b.txt')])
  const agent = startStdioAgent(at)
  const send = (message: object): void => void agent.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  /** Waits for the nth message, from 0, that fits. */
  const nth = async (n: number, fits: (message: Message) => boolean): Promise<Message> => {
    const found = (): Message | undefined => agent.messages().filter(fits)[n]
    await expect.poll(found, { timeout: 60_000 }).toBeDefined()
    return found() as Message
  }
  const answerTo = (wanted: number): Promise<Message> => nth(0, ({ id, method }) => id === wanted && method === undefined)
  const permission = (n: number): Promise<Message> => nth(n, ({ method }) => method === 'session/request_permission')
  const answers = new Map<unknown, Message>()
  let sessionId = ''
  for (const line of (await readFile(ZED, 'utf8')).trimEnd().split('\n')) {
    const message = JSON.parse(line.replaceAll('$CWD', at.cwd).replaceAll('$SESSION', sessionId)) as {
      readonly id?: number
      readonly method: string
    }
    if (message.method === 'session/cancel') {
      const request = await permission(1)
      send(message)
      send({ id: request.id, result: { outcome: { outcome: 'cancelled' } } })
      answers.set(5, await answerTo(5))
      continue
    }
    send(message)
    // The second prompt is cancelled while its permission request is open.
    if (message.id === undefined || message.id === 5) continue
    if (message.id === 4) {
      const { id, params } = await permission(0)
      const optionId = params?.options?.find(({ kind }) => kind === 'allow_once')?.optionId
      send({ id, result: { outcome: { outcome: 'selected', optionId } } })
    }
    const answer = await answerTo(message.id)
    answers.set(message.id, answer)
    if (message.method === 'session/new') sessionId = String(answer.result?.['sessionId'])
  }
  expect([...answers.values()].filter(({ error }) => error !== undefined)).toEqual([])
  expect(answers.get(1)?.result).toMatchObject({ sessions: [] })
  expect(answers.get(4)?.result).toEqual({ stopReason: 'end_turn' })
  expect(answers.get(5)?.result).toEqual({ stopReason: 'cancelled' })
  expect(answers.get(8)?.result).toMatchObject({ sessions: [{ sessionId, cwd: at.cwd }] })
  expect(await readdir(at.cwd)).toEqual(['a.txt'])
  const first = await asked(at.model, 0)
  for (const part of ['plan.md', 'Say hello.', 'zed:///agent/terminal-selection']) expect(first).toContain(part)
  const replayed = agent.messages().slice(agent.messages().findIndex(({ id, method }) => id === 6 && method === undefined))
  const kinds = replayed.flatMap(({ params }) => params?.update?.sessionUpdate ?? [])
  expect(kinds).toEqual(expect.arrayContaining(['user_message_chunk', 'tool_call', 'agent_message_chunk']))
  await agent.expectEnd()
})

const acpx = findProgram('acpx', process.env['PATH'])
if (acpx === null) process.stderr.write('Skipped: acpx is not installed.\n')
test.skipIf(acpx === null)('acpx, a client without a window, runs a task to its end', async () => {
  const at = await place([calls(call('write_file', { file_path: 'a.txt', content: 'hello\n' })), say('All done.')])
  const home = temporaryFolder('home')
  const command = [process.execPath, ...agentArgs(['--acp'], at)].join(' ')
  const args = ['--agent', command, '--cwd', at.cwd, '--approve-all', '--format', 'json', 'exec', 'Write a.txt']
  const env = { ...cleanEnv(), ...at.env, HOME: home }
  const { stdout } = await promisify(execFile)(process.execPath, [acpx ?? '', ...args], { cwd: ROOT, env, timeout: 100_000 })
  expect(await readFile(join(at.cwd, 'a.txt'), 'utf8')).toBe('hello\n')
  expect(stdout).toContain('All done.')
  expect(stdout).toContain('"stopReason":"end_turn"')
  for (const line of stdout.trim().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow()
})
