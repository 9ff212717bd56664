import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { printState } from '../../main/headless/report/print-session-state.ts'
import { opened } from '../store/support/stores.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { type AgentOutcome, ofKind, runAgent, startAgent } from './support/agent-process.ts'
import { runOnTerminal } from './support/agent-terminal.ts'
import { place } from './support/model-place.ts'

type Place = Awaited<ReturnType<typeof place>>

const PLAN = {
  title: 'Two files',
  steps: [
    { title: 'Write a', files: ['a.txt'] },
    { title: 'Write b', files: ['b.txt'] },
  ],
  tests: [{ path: 'a.test.txt', coverage: 'a' }],
}
const propose = calls(call('exit_plan_mode', PLAN))
const write = (path: string) => call('write_file', { file_path: path, content: 'x\n' })
const todos = (...states: readonly string[]) =>
  call('todo_write', {
    todos: PLAN.steps.map(({ title }, at) => ({ id: String(at + 1), content: title, status: states[at] ?? 'pending', priority: 'medium' })),
  })
const shell = (command: string) => call('shell', { command })

const sessionOf = (outcome: AgentOutcome): string => ofKind(outcome, 'SESSION_START')[0]?.sessionId ?? ''
const requestOf = (outcome: AgentOutcome): string => ofKind(outcome, 'APPROVAL_REQUESTED').at(-1)?.approvalId ?? ''
const resultIn = async (at: Place, index: number): Promise<string> => JSON.stringify((await at.model.request(index)).body.messages.at(-1))

interface State {
  readonly stage: string
  readonly progress: unknown
  readonly plan: { readonly steps: readonly { readonly title: string }[] } | null
  readonly pending_action: { readonly type: string; readonly request_id: string } | null
  readonly [key: string]: unknown
}
/** Returns what the command `state` prints. */
async function printedState(at: Place, session: string): Promise<State> {
  const { code, stdout, stderr } = await runAgent(['state', session, '--json'], at)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as State
}

/** Returns the same as `printedState`, but starts no process. */
async function stateOf(at: Place, session: string): Promise<State> {
  const store = await opened(at.data)
  let printed = ''
  expect(printState(session, { store, asJson: true, write: (text) => (printed += text) })).toBe(0)
  store.close()
  return JSON.parse(printed) as State
}

// Each test starts several processes, and a busy machine needs some seconds for each.
describe('plan-first workflow (R-46, R-48, R-57, R-62)', { timeout: 120_000 }, () => {
  test('each stage is stored by one process and found by the next, and `state` prints it (R-64)', async () => {
    const ask = calls(call('ask_user_question', { questions: [{ question: 'Which?', options: [{ label: 'one' }, { label: 'two' }] }] }))
    const at = await place([
      ask,
      propose,
      calls(todos('in_progress'), write('a.txt')),
      calls(todos('completed', 'in_progress'), write('c.txt')),
      say('Done.'),
    ])
    const first = await runAgent(['--course', 'plan', '--pause', '--mode', 'full', 'Make files'], at)
    const session = sessionOf(first)
    expect(first.code).toBe(3)
    expect(await printedState(at, session)).toMatchObject({
      session_id: session,
      mode: 'coding',
      approval_mode: 'plan',
      course: 'plan',
      stage: 'awaiting_clarification',
      query: 'Make files',
      clarified_query: null,
      plan: null,
      pending_action: { type: 'ask_user_question' },
    })
    const second = await runAgent(['--pause', '--answer', requestOf(first), '2'], at)
    expect(await printedState(at, session)).toMatchObject({
      stage: 'awaiting_plan_approval',
      clarified_query: 'Make files\nWhich? two',
      progress: null,
      plan: { title: 'Two files', steps: [{ title: 'Write a' }, { title: 'Write b' }] },
    })
    const third = await runAgent(['--pause', '--answer', requestOf(second), '--note', 'No c.', 'sign'], at)
    // The mode is full, but the plan does not include the file.
    expect(third.code).toBe(3)
    expect(await resultIn(at, 2)).toContain('Their condition, which you must keep: No c.')
    const waiting = await printedState(at, session)
    expect(waiting).toMatchObject({
      stage: 'awaiting_tool_approval',
      approval_mode: 'full',
      condition: 'No c.',
      progress: { done: 1, of: 2 },
      pending_action: { type: 'create_file', tool: 'write_file', targets: ['c.txt'], reason: 'The plan does not include c.txt.' },
    })
    const last = await runAgent(['--answer', waiting.pending_action?.request_id ?? '', 'sign'], at)
    expect(last.code).toBe(0)
    expect(await printedState(at, session)).toMatchObject({
      stage: 'completed',
      completed_actions: [
        { action: 'ask_user_question', path: null, status: 'success' },
        { action: 'exit_plan_mode', path: null, status: 'success' },
        { action: 'todo_write', path: null, status: 'success' },
        { action: 'create_file', tool: 'write_file', path: 'a.txt', status: 'success' },
        { action: 'todo_write', path: null, status: 'success' },
        { action: 'create_file', tool: 'write_file', path: 'c.txt', status: 'success' },
      ],
      deviations: [{ words: 'c.txt', at: '2' }],
      steps: [
        { id: '1', state: 'done', touched: ['a.txt'] },
        { id: '2', touched: [] },
      ],
    })
    const [file = ''] = await readdir(join(at.data, 'plans'))
    expect(await readFile(join(at.data, 'plans', file), 'utf8')).toBe(
      '# Two files\n\n1. Write a\n   Files: `a.txt`\n2. Write b\n   Files: `b.txt`\n\n## Tests\n\n- `a.test.txt`: a\n\n## Condition\n\nNo c.\n',
    )
  })

  test('after a kill a waiting plan still waits, and rejecting it cancels the request', async () => {
    const at = await place([propose])
    const { child, outcome } = startAgent(['--course', 'plan', '--pause', 'Make files'], at)
    await at.model.request(0)
    child.stdout?.on('data', (chunk: Buffer) => chunk.toString().includes('APPROVAL_REQUESTED') && child.kill('SIGKILL'))
    const killed = await outcome
    const session = sessionOf(killed)
    expect((await stateOf(at, session)).stage).toBe('awaiting_plan_approval')
    const rejected = await runAgent(['--answer', requestOf(killed), 'refuse'], at)
    expect(rejected.code).toBe(1)
    expect(await stateOf(at, session)).toMatchObject({
      stage: 'cancelled',
      completed_actions: [{ action: 'exit_plan_mode', status: 'refused' }],
    })
    expect(at.model.requests).toHaveLength(1)
  })

  test('in a terminal, “y, but …” signs with a condition', async () => {
    const at = await place([propose, say('Done.')])
    const { code } = await runOnTerminal(['--course', 'plan', 'Make files'], at, [
      { when: 'Sign it? y, “y, but …” with a condition, n, or a message to the agent: ', type: 'y, but keep c.txt\r' },
    ])
    expect(code).toBe(0)
    expect(await resultIn(at, 1)).toContain('Their condition, which you must keep: keep c.txt')
  })

  test('a second request also begins with a plan', async () => {
    const at = await place([propose, say('Done.'), propose])
    const first = await runAgent(['--course', 'plan', '--pause', '--mode', 'accept-edits', 'One'], at)
    await runAgent(['--pause', '--answer', requestOf(first), 'sign'], at)
    const third = await runAgent(['--pause', '--continue', 'Two'], at)
    expect(third.code).toBe(3)
    expect(await stateOf(at, sessionOf(first))).toMatchObject({ stage: 'awaiting_plan_approval', query: 'Two', approval_mode: 'plan' })
  })

  test('`state last` shows the newest session, and an unknown session is an error that says how to find one', async () => {
    const at = await place([say('Hello.')])
    await runAgent(['Say hello'], at)
    expect((await runAgent(['state', 'last', '--no-json'], at)).stdout).toMatch(/^Session s_\w+: .*\nRequest: /u)
    expect(await runAgent(['state', 's_nobody', '--json'], at)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no session s_nobody\.\nAll sessions are unchanged\.\nFind its id with /u),
    })
  })
})

describe('test-first workflow (R-69)', { timeout: 120_000 }, () => {
  test('the tests must exist and fail before anything else changes, and red and green are recorded', async () => {
    const source = 'exports.add = (a, b) => a - b\n'
    const check = "require('node:assert').equal(require('./add.js').add(1, 2), 3)\n"
    const at = await place([
      calls(
        call('read_file', { file_path: 'add.js' }),
        call('exit_plan_mode', { title: 'Mend add', steps: [{ title: 'Mend', files: ['add.js'] }] }),
      ),
      calls(
        call('exit_plan_mode', {
          title: 'Mend add',
          steps: [
            { title: 'Test', files: ['add.test.js'] },
            { title: 'Mend', files: ['add.js'] },
          ],
          tests: [{ path: 'add.test.js', coverage: 'the sum' }],
          commands: ['node add.test.js'],
        }),
      ),
      calls(call('edit_file', { file_path: 'add.js', old_string: 'a - b', new_string: 'a + b' })),
      calls(call('write_file', { file_path: 'add.test.js', content: check })),
      calls(shell('node add.test.js')),
      calls(call('read_file', { file_path: 'add.js' })),
      calls(call('write_file', { file_path: 'add.js', content: source.replace('-', '+') })),
      calls(shell('node add.test.js')),
      say('Green.'),
    ])
    await writeFile(join(at.cwd, 'add.js'), source)
    const first = await runAgent(['--course', 'test-first', '--pause', '--mode', 'full', 'Mend add'], at)
    expect(await resultIn(at, 1)).toContain('The course is test first, and the plan has no tests.')
    const second = await runAgent(['--answer', requestOf(first), 'sign'], at)
    expect([second.code, second.stderr]).toEqual([0, ''])
    expect(await resultIn(at, 2)).toContain('The course is test first: write the tests of the plan and run them.')
    expect(await resultIn(at, 3)).toContain('Test first: write the tests and see them fail before changing add.js.')
    const ran = ofKind(second, 'TOOL_CALL_END').filter(({ toolName }) => toolName === 'shell')
    expect(ran.map(({ details }) => (details as { exitCode: number }).exitCode)).toEqual([1, 0])
    const { tests, stage } = await stateOf(at, sessionOf(first))
    expect(stage).toBe('completed')
    expect(tests).toMatchObject({ written: true, red: expect.any(Number) as number, green: expect.any(Number) as number })
    expect(await readFile(join(at.cwd, 'add.js'), 'utf8')).toContain('a + b')
  })
})

describe('staged-review workflow (R-68)', { timeout: 120_000 }, () => {
  test('the changes of each step wait until the user continues', async () => {
    const at = await place([
      propose,
      calls(todos('in_progress'), write('a.txt')),
      calls(write('b.txt')),
      calls(todos('completed', 'in_progress')),
      calls(todos('completed', 'in_progress'), write('b.txt')),
      calls(todos('completed', 'completed')),
      say('Done.'),
    ])
    const first = await runAgent(['--course', 'review', '--pause', '--mode', 'full', 'Make files'], at)
    const second = await runAgent(['--pause', '--answer', requestOf(first), 'sign'], at)
    expect(await resultIn(at, 3)).toContain('b.txt belongs to a later step. Mark “Write a” as completed first')
    expect(await stateOf(at, sessionOf(first))).toMatchObject({ stage: 'awaiting_review', progress: { done: 0, of: 2 } })
    const third = await runAgent(['--pause', '--answer', requestOf(second), '--note', 'Say why.', 'refuse'], at)
    expect(await resultIn(at, 4)).toContain('They say: Say why.')
    const fourth = await runAgent(['--pause', '--answer', requestOf(third), 'sign'], at)
    expect(await stateOf(at, sessionOf(first))).toMatchObject({ stage: 'awaiting_review', progress: { done: 1, of: 2 } })
    const last = await runAgent(['--answer', requestOf(fourth), 'sign'], at)
    expect(last.code).toBe(0)
    expect(await stateOf(at, sessionOf(first))).toMatchObject({ stage: 'completed', progress: { done: 2, of: 2 } })
  })
})

describe('saved choices (R-48)', { timeout: 120_000 }, () => {
  test('with the plan course in the settings, small plans can be skipped, but a larger plan still waits', async () => {
    const small = call('exit_plan_mode', { title: 'One file', steps: [{ title: 'Write a', files: ['a.txt'] }] })
    const at = await place([calls(small), calls(write('a.txt')), say('Written.'), propose, say('Refused.')])
    await mkdir(at.data, { recursive: true })
    await writeFile(join(at.data, 'settings.json'), JSON.stringify({ course: 'plan', skipSmallPlans: true }))
    const first = await runAgent(['--mode', 'accept-edits', 'Make one file'], at)
    expect([first.code, ofKind(first, 'APPROVAL_REQUESTED')]).toEqual([0, []])
    expect(await resultIn(at, 1)).toContain('The developer wants no plan for small changes. Start the work.')
    expect(await readdir(at.cwd)).toContain('a.txt')
    const second = await runAgent(['--mode', 'accept-edits', 'Make files'], at)
    expect(ofKind(second, 'APPROVAL_REQUESTED').map(({ toolName }) => toolName)).toEqual(['exit_plan_mode'])
  })

  test('/init creates a first AGENTS.md, which needs a signature', async () => {
    const at = await place([calls(call('write_file', { file_path: 'AGENTS.md', content: '# Project\n' })), say('Written.')])
    const first = await runAgent(['--pause', '/init with care'], at)
    expect(JSON.stringify((await at.model.request(0)).body)).toMatch(/Write a first AGENTS\.md for this project.*with care/u)
    expect(await readdir(at.cwd)).not.toContain('AGENTS.md')
    const second = await runAgent(['--answer', requestOf(first), 'sign'], at)
    expect(second.code).toBe(0)
    expect(await readFile(join(at.cwd, 'AGENTS.md'), 'utf8')).toBe('# Project\n')
  })
})
