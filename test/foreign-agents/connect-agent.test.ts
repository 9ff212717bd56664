import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import type { SignIn } from '../../shared/agents/other-agents-api.ts'
import type { OpenedProgram, ProgramExit } from '../../main/agent/ports/opened-program.ts'
import { connectAgent } from '../../main/foreign-agents/protocol/connect-agent.ts'

/**
 * The pipes of an agent that ends each turn at once. Turns with the text `wait` end when they are cancelled. In a turn with the text
 * `crash`, the program ends before its report of a call is read. In a turn with the text `babble`, it closes its output and runs on.
 */
function agentProgram({ authMethods = null }: { readonly authMethods?: readonly object[] | null } = {}): OpenedProgram & {
  readonly isKilled: () => boolean
} {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const ended = Promise.withResolvers<ProgramExit>()
  const send = (id: unknown, result: object): void => void stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
  const fail = (id: unknown): void =>
    void stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: 'Nobody is signed in' } })}\n`)
  let isKilled = false
  createInterface({ input: stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line) as { id?: unknown; method: string; params: { prompt?: { text: string }[] } }
    if (method === 'initialize') send(id, { protocolVersion: 1, ...(authMethods && { authMethods }) })
    if (method === 'session/new' && authMethods === null) send(id, { sessionId: 's' })
    if (method === 'session/new' && authMethods !== null) fail(id)
    const text = params.prompt?.[0]?.text
    if (method === 'session/prompt' && text === 'crash') return crash()
    if (method === 'session/prompt' && text === 'babble') return void stdout.end()
    if (method === 'session/prompt' && text !== 'wait') send(id, { stopReason: 'end_turn' })
  })
  const crash = (): void => {
    ended.resolve({ exitCode: 7, signal: null })
    setImmediate(() => {
      const update = { sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'Write a.txt', kind: 'edit', status: 'completed' }
      stdout.end(`${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } })}\n`)
      stderr.end('It broke.\n')
    })
  }
  return {
    stdin,
    stdout,
    stderr,
    ended: ended.promise,
    isKilled: () => isKilled,
    async kill() {
      isKilled = true
      ended.resolve({ exitCode: null, signal: 'SIGKILL' })
      await ended.promise
    },
  }
}

afterEach(() => void vi.useRealTimers())

const facts = {
  version: '1',
  invocation: ['/bin/agent', '--acp'],
  cwd: '/w',
  resume: null,
  modes: [],
  chosen: {},
  onOffers: () => {},
  onSignIns: () => {},
}

test('what an agent reports just before it crashes is heard before its turn has failed', async () => {
  const connected = await connectAgent({ ...facts, program: agentProgram(), beforeCall: () => Promise.resolve() })
  if (!connected.ok) throw new Error(connected.failure.why)
  const heard: string[] = []
  const end = await connected.value.prompt({ text: 'crash', pictures: [] }, ({ kind }) => heard.push(kind))
  expect(heard).toEqual(['call', 'call_end'])
  expect(end).toMatchObject({ kind: 'failed', why: 'its program ended with exit code 7. It wrote: It broke.' })
})

test.each([
  ['has crashed', 'crash', true],
  ['only closes its output', 'babble', false],
  ['is closed by Countersign', 'wait', false],
])('a turn of an agent that %s tells whether its program has ended by itself', async (_, text, hasEnded) => {
  const connected = await connectAgent({ ...facts, program: agentProgram(), beforeCall: () => Promise.resolve() })
  if (!connected.ok) throw new Error(connected.failure.why)
  const end = connected.value.prompt({ text, pictures: [] }, () => {})
  if (text === 'wait') await connected.value.close()
  expect(await end).toMatchObject({ kind: 'failed', hasEnded })
})

test('a stop between turns does not kill the agent in its next turn, but a turn that ignores its stop does', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const program = agentProgram()
  const connected = await connectAgent({ ...facts, program, beforeCall: () => Promise.resolve() })
  if (!connected.ok) throw new Error(connected.failure.why)
  const agent = connected.value
  const text = (words: string) => ({ text: words, pictures: [] })
  expect(await agent.prompt(text('one'), () => {})).toEqual({ kind: 'ended', why: 'end_turn' })
  agent.cancel()
  const second = agent.prompt(text('wait'), () => {})
  vi.advanceTimersByTime(60_000)
  expect(program.isKilled()).toBe(false)
  agent.cancel()
  agent.cancel()
  vi.advanceTimersByTime(60_000)
  expect(program.isKilled()).toBe(true)
  expect(await second).toEqual({ kind: 'ended', why: 'cancelled' })
})

test.each([
  [
    [{ id: 'a', name: 'Log in', type: 'terminal', args: ['--login', 'my account'], env: { MODE: 'a b' } }],
    "Run this in a terminal first: MODE='a b' /bin/agent --acp --login 'my account'",
    [{ name: 'Log in', line: "MODE='a b' /bin/agent --acp --login 'my account'" }],
  ],
  [[{ id: 'b', name: 'With a key' }], 'Available sign-in methods: With a key.', []],
  [[], '', []],
])('an agent without a sign-in says how to sign in outside the layer', async (authMethods, signIn, ways) => {
  let signIns: readonly SignIn[] = []
  const connected = await connectAgent({
    ...facts,
    program: agentProgram({ authMethods }),
    beforeCall: () => Promise.resolve(),
    onSignIns: (named) => void (signIns = named),
  })
  expect(connected).toEqual({ ok: false, failure: { why: 'It needs a sign-in: Nobody is signed in.', signIn } })
  expect(signIns).toEqual(ways)
})

test('a way to sign in is left out if a shell could read it as another command, or if a terminal would refuse it', async () => {
  const way = (name: string, env: Readonly<Record<string, string>>, args: readonly string[] = []) => ({
    id: name,
    name,
    type: 'terminal',
    env,
    args,
  })
  const methods = [
    way('Injected', { 'X=1; touch stolen; Y': '1' }),
    way('Two lines', { X: '1' }, ['a\nb']),
    way('Too long', {}, ['a'.repeat(2_000)]),
    way('Log in', { X: '$(touch stolen)' }),
    way('Log in again', { X: '$(touch stolen)' }),
  ]
  let signIns: readonly SignIn[] = []
  await connectAgent({
    ...facts,
    program: agentProgram({ authMethods: methods }),
    beforeCall: () => Promise.resolve(),
    onSignIns: (named) => void (signIns = named),
  })
  expect(signIns).toEqual([{ name: 'Log in', line: "X='$(touch stolen)' /bin/agent --acp" }])
})
