import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createDriver } from './program/driver.ts'
import { createFolders } from './program/folders.ts'
import type { SessionRun } from './program/session-run.ts'
import type { SessionEvent } from '../../shared/session/events.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { createWorkspaces } from '../../main/workspace/workspaces.ts'
import { say, startScriptedModel } from '../support/scripted-model.ts'

function driverIn() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-session-run-')))
  const stop = new AbortController()
  const workspaces = createWorkspaces({ createEnvironment: createLocalExecutionEnvironment, home: homedir(), ownFolders: [] })
  onTestFinished(async () => {
    await workspaces.closeAll()
    rmSync(folder, { recursive: true, force: true })
  })
  const driver = createDriver(createFolders(workspaces, stop.signal), stop.signal)
  const op = (name: string, args: object) => driver(JSON.stringify({ id: 1, op: name, cwd: folder, args }))
  const run = async (args: object): Promise<SessionRun> => {
    const answer = await op('session_run', args)
    if (!answer.ok) throw new Error(answer.error)
    return answer.output as SessionRun
  }
  return { folder, op, run, stop }
}

const write = (name: string) => ({ calls: [{ name: 'write_file', args: { file_path: name, content: `${name}\n` } }] })
const ofKind = ({ events }: SessionRun, kind: string) => events.filter((event) => event.kind === kind)

test.each(['anthropic', 'openai-responses', 'openai-chat', 'gemini'])(
  'session_run: with %s, the given answers are used in order',
  async (provider) => {
    const { folder, run } = driverIn()
    const given = await run({
      provider,
      model: 'some-model',
      task: ['Write', 'And now?'],
      script: [write('a'), write('b'), write('c'), write('d'), { text: 'Done.', thinking: 'Hm.' }, 'Nothing more.'],
      answers: ['sign', 'refuse', { refuse: 'Not this.' }],
    })
    expect(given).toMatchObject({ ended: 'completed', error: null, text: 'Nothing more.', requests: 6 })
    expect(readdirSync(folder)).toEqual(['a'])
    expect(ofKind(given, 'APPROVAL_ANSWERED').map((event) => event.kind === 'APPROVAL_ANSWERED' && event.answer)).toEqual([
      { kind: 'signed' },
      { kind: 'refused', note: null, by: 'person' },
      { kind: 'refused', note: 'Not this.', by: 'person' },
      { kind: 'refused', note: 'The run has no answer left for this request.', by: 'flag' },
    ])
    expect([given.events[0]?.kind, given.events.at(-1)?.kind, ofKind(given, 'USER_INPUT').length]).toEqual([
      'SESSION_START',
      'PROCESSING_END',
      2,
    ])
  },
)

test('session_run: the given answers also apply to a subagent’s requests', async () => {
  const { folder, run } = driverIn()
  const given = await run({
    script: [{ calls: [{ name: 'task', args: { agent_type: 'code', prompt: 'Write a' } }] }, write('a'), 'Written.', 'Thanks.'],
    answers: ['sign'],
  })
  expect([given.ended, readFileSync(join(folder, 'a'), 'utf8')]).toEqual(['completed', 'a\n'])
  expect(ofKind(given, 'SUBAGENT_EVENT').length).toBeGreaterThan(8)
})

const task = (prompt: string) => ({ calls: [{ name: 'task', args: { agent_type: 'code', prompt } }] })
const nested = (event: SessionEvent): string => (event.kind === 'SUBAGENT_EVENT' ? `>${nested(event.event)}` : event.kind)

test('session_run: the given answers also apply to a nested subagent’s requests, and its events are nested (P2-23)', async () => {
  const { folder, run } = driverIn()
  const given = await run({
    maxSubagentDepth: 2,
    answers: ['sign'],
    script: [task('Delegate'), task('Write a'), write('a'), 'Written.', 'Delegated.', 'Thanks.'],
  })
  expect([given.ended, given.text, readFileSync(join(folder, 'a'), 'utf8')]).toEqual(['completed', 'Thanks.', 'a\n'])
  const kinds = given.events.map(nested)
  // Only what leaves the subagents' layers waits for a signature.
  expect(kinds.filter((kind) => kind.endsWith('APPROVAL_REQUESTED'))).toEqual(['APPROVAL_REQUESTED'])
  expect(kinds).toEqual(expect.arrayContaining(['>>SESSION_START', '>>FILES_CHANGED', '>>PROCESSING_END']))
})

test('session_run: a subagent stopped with its parent logs the end of its calls and its turn (S-42)', async () => {
  const { run, stop, folder } = driverIn()
  const sleep = { calls: [{ name: 'shell', args: { command: 'touch here; sleep 60' } }] }
  const ran = run({ script: [task('Sleep'), sleep], mode: 'full' })
  await expect.poll(() => readdirSync(folder)).toEqual(['here'])
  stop.abort(new Error('the driver was ended'))
  const kinds = (await ran).events.map(nested)
  expect(kinds.slice(kinds.indexOf('>TOOL_EXECUTION_START') + 1).toSorted()).toEqual([
    '>FILES_CHANGED',
    '>PROCESSING_END',
    '>TOOL_CALL_END',
    'PROCESSING_END',
    'TOOL_CALL_END',
  ])
})

test('session_run: reports whether it ended because of a service error, a limit, a timeout or the end of the script (S-13)', async () => {
  const { run } = driverIn()
  const read = { calls: [{ name: 'glob', args: { pattern: '*' } }], usage: { input: 600, output: 1 } }
  expect(await run({ script: [{ status: 401, message: 'no such key' }] })).toMatchObject({
    ended: 'error',
    error: { code: 'authentication' },
  })
  expect(await run({ script: [read, read, read], maxTokens: 1000 })).toMatchObject({
    ended: 'limit',
    error: { code: 'tokens', what: 'The budget of 1,000 tokens is used up.' },
    requests: 2,
  })
  const sleeping = { calls: [{ name: 'shell', args: { command: 'sleep 60' } }] }
  expect(await run({ script: [sleeping], mode: 'full', timeoutMs: 1500 })).toMatchObject({ ended: 'stopped', error: { code: 'timed_out' } })
  expect(await run({ script: [read] })).toMatchObject({ ended: 'error', requests: 2 })
})

test('session_run: an error code says whether loops, pauses, refused steps or a limit ended the last turn (S-13)', async () => {
  const { run } = driverIn()
  const read = { calls: [{ name: 'glob', args: { pattern: '*' } }] }
  const reason = async (args: object): Promise<unknown> => {
    const { ended, error } = await run(args)
    return [ended, error?.code ?? null, error === null || error.what.endsWith('.')]
  }
  expect(await reason({ script: Array(200).fill(read) })).toEqual(['limit', 'looping', true])
  const events = [
    { type: 'message_start', message: { id: 'm', content: [], usage: {} } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hm.' } },
    { type: 'message_delta', delta: { stop_reason: 'pause_turn' }, usage: {} },
    { type: 'message_stop' },
  ]
  const raw = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  const pause = { raw, headers: { 'content-type': 'text/event-stream' } }
  expect(await reason({ script: Array(20).fill(pause) })).toEqual(['limit', 'paused_repeatedly', true])
  expect(await reason({ script: Array(5).fill(write('a')) })).toEqual(['stopped', 'refused_repeatedly', true])
  expect(await reason({ script: [read, read], maxRounds: 1 })).toEqual(['limit', 'max_tool_rounds', true])
  expect(await reason({ script: [read, read], maxTurns: 1 })).toEqual(['limit', 'max_turns', true])
  expect(await reason({ script: [{ status: 401, message: 'no' }, 'Done.'], task: ['A', 'B'] })).toEqual(['completed', null, true])
})

test('session_run: another service address can be given, and no temporary file is left behind', async () => {
  const model = await startScriptedModel([say('Hello.')])
  onTestFinished(() => model.close())
  const { run, op, folder } = driverIn()
  const temporary = join(folder, 'temporary')
  mkdirSync(temporary)
  vi.stubEnv('TMPDIR', temporary)
  expect(await run({ provider: 'openai-compatible', model: 'm', baseUrl: model.url })).toMatchObject({ text: 'Hello.', requests: null })
  expect(readdirSync(temporary)).toEqual([])
  expect(await op('session_run', {})).toEqual({ id: 1, ok: false, error: expect.stringContaining('Give either a script or a baseUrl.') })
  expect(await op('session_run', { script: [{ nothing: 1 }] })).toMatchObject({ ok: false, error: expect.stringContaining('script.0') })
})

test('session_run stops when the driver is ended', async () => {
  const { run, stop, folder } = driverIn()
  const ran = run({ script: [{ calls: [{ name: 'shell', args: { command: 'touch here; sleep 60' } }] }], mode: 'full' })
  await expect.poll(() => readdirSync(folder)).toEqual(['here'])
  stop.abort(new Error('the driver was ended'))
  expect(await ran).toMatchObject({ ended: 'stopped', error: { code: 'stopped' } })
})

test('decode_stream and build_request are answered by the adapters', async () => {
  const { op } = driverIn()
  const lines = [
    '{"choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"}}]}',
    '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
    '[DONE]',
  ]
  const body = Buffer.from(lines.map((line) => `data: ${line}\n\n`).join(''))
  const chunksB64 = [body.subarray(0, 20), body.subarray(20)].map((chunk) => chunk.toString('base64'))
  const args = { provider: 'openai-chat', chunksB64, headers: { 'content-type': 'text/event-stream' } }
  expect(await op('decode_stream', args)).toMatchObject({
    ok: true,
    output: { message: { text: 'Hi', reasoning: '' }, toolCalls: [], stopReason: 'stop', error: null },
  })
  expect(await op('decode_stream', { ...args, chunksB64: chunksB64.slice(0, 1), end: 'cut' })).toMatchObject({
    ok: true,
    output: { stopReason: 'error', error: { code: expect.any(String) } },
  })
  const built = await op('build_request', {
    provider: 'anthropic',
    history: [{ kind: 'user', content: 'Go' }],
    tools: [{ name: 't', description: 'd' }],
    options: { model: 'claude-haiku-4-5', system: 'Be good.' },
  })
  expect(built).toMatchObject({
    ok: true,
    output: { url: expect.stringContaining('/v1/messages'), headers: { 'x-api-key': '[key]' }, body: { model: 'claude-haiku-4-5' } },
  })
  expect(await op('decode_stream', { provider: 'nobody', chunksB64: ['%'] })).toMatchObject({ ok: false })
})

test('session_run: a course with a plan, questions and a staged review can be driven', async () => {
  const { folder, run } = driverIn()
  const steps = [{ title: 'Make a' }, { title: 'Make b' }]
  const plan = {
    calls: [
      {
        name: 'exit_plan_mode',
        args: { title: 'Two files', steps, files_to_create: ['a', 'b'].map((path) => ({ path, purpose: 'a file' })) },
      },
    ],
  }
  const question = { question: 'Which end of line?', options: [{ label: 'LF' }, { label: 'CRLF' }] }
  const ask = { calls: [{ name: 'ask_user_question', args: { questions: [question] } }] }
  const planned = await run({
    course: 'plan',
    mode: 'full',
    script: [ask, plan, write('a'), 'Done.'],
    answers: [{ answers: ['2'] }, { condition: 'Only a.' }],
  })
  expect(planned).toMatchObject({ ended: 'completed', text: 'Done.' })
  const results = ofKind(planned, 'TOOL_CALL_END').map((event) => (event.kind === 'TOOL_CALL_END' ? event.output : ''))
  expect(results[0]).toContain('CRLF')
  expect(results[1]).toContain('Only a.')
  expect(readdirSync(folder)).toEqual(['a'])
  const misfit = await run({ course: 'plan', script: [plan, 'Then not.'], answers: [{ answers: ['1'] }] })
  expect(ofKind(misfit, 'APPROVAL_ANSWERED')).toMatchObject([
    {
      answer: {
        kind: 'refused',
        note: expect.stringContaining('The number of answers (1) differs from the number of questions (0).') as unknown,
      },
    },
  ])
  // Refusing a plan cancels the work, however the refusal comes.
  const refused = await run({ course: 'plan', script: [plan, 'Never asked for.'], answers: ['refuse'] })
  expect(refused).toMatchObject({ ended: 'stopped', requests: 1 })
  const small = { calls: [{ name: 'exit_plan_mode', args: { title: 'Write c', steps: [{ title: 'Write c' }] } }] }
  const todos = [{ id: 's1', content: 'Write c', status: 'completed', priority: 'medium' }]
  const reviewed = await run({
    course: 'review',
    mode: 'full',
    answers: ['sign', { refuse: 'Say why.' }],
    script: [small, write('c'), { calls: [{ name: 'todo_write', args: { todos } }] }, 'Because.'],
  })
  expect(ofKind(reviewed, 'APPROVAL_ANSWERED')).toMatchObject([{ answer: { kind: 'signed' } }, { answer: { note: 'Say why.' } }])
})

test('session_run: SlashCommand finds the commands of the folder', async () => {
  const { folder, run } = driverIn()
  mkdirSync(join(folder, '.claude/commands'), { recursive: true })
  writeFileSync(join(folder, '.claude/commands/fix.md'), 'Fix issue $0.')
  const given = await run({ script: [{ calls: [{ name: 'SlashCommand', args: { command: '/fix 12' } }] }, 'Fixed.'] })
  expect(ofKind(given, 'TOOL_CALL_END')).toMatchObject([{ isError: false, output: expect.stringContaining('Fix issue 12.') as unknown }])
})
