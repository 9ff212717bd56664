import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseRunFlags } from '../../main/headless/start/flags.ts'
import { jsonLines } from '../../main/headless/report/json-lines.ts'
import { SessionId } from '../../shared/lib/ids.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { type AgentOutcome, ofKind, runAgent } from './support/agent-process.ts'
import { place } from './support/model-place.ts'
import { kept, storedEvents } from './support/stored-events.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const sessionOf = (outcome: AgentOutcome): string => ofKind(outcome, 'SESSION_START')[0]?.sessionId ?? ''
const requestOf = (outcome: AgentOutcome): string => ofKind(outcome, 'APPROVAL_REQUESTED').at(-1)?.approvalId ?? ''
const bodyOf = async (at: Awaited<ReturnType<typeof place>>, index: number): Promise<string> =>
  Buffer.from((await at.model.request(index)).bytes).toString()

describe('options for a stored session', () => {
  test('--resume and --continue continue the session: the model gets its conversation, and the output begins with the new run', async () => {
    const at = await place([say('First answer.'), say('Second answer.'), say('Third answer.')])
    const first = await runAgent(['first task'], at)
    const second = await runAgent(['--resume', sessionOf(first), 'second task'], at)
    expect([second.code, second.stderr]).toEqual([0, ''])
    expect(ofKind(second, 'USER_INPUT').map(({ text }) => text)).toEqual(['second task'])
    expect(ofKind(second, 'SESSION_START')).toEqual([])
    const third = await runAgent(['--continue', '--effort', 'low', 'third task'], at)
    expect(third.code).toBe(0)
    expect(await bodyOf(at, 2)).toMatch(/first task.*First answer\..*second task.*Second answer\..*third task/su)
    const stored = await storedEvents(at.data)
    expect(kept(stored, 'SESSION_START')).toHaveLength(1)
    expect(kept(stored, 'SESSION_CONFIGURED')).toMatchObject([{ effort: 'low', mode: 'ask' }])
  })

  test('a slash command of the desk works as a task, or the message says what to use instead', async () => {
    const at = await place([
      say('One.'),
      say('Two.'),
      say('A summary.'),
      calls(call('write_file', { file_path: 'a.txt', content: 'x' })),
      say('3'),
      calls(call('write_file', { file_path: 'b.txt', content: 'x' })),
      say('4'),
    ])
    await runAgent(['first task'], at)
    await runAgent(['--continue', 'second task'], at)
    const compacted = await runAgent(['--continue', '/compact keep names'], at)
    expect([compacted.code, ofKind(compacted, 'COMPACTED').map(({ why }) => why)]).toEqual([0, ['manual']])
    expect(await bodyOf(at, 2)).toContain('keep names')
    const planned = await runAgent(['--continue', '--mode', 'full', '/plan write it'], at)
    expect(ofKind(planned, 'USER_INPUT').map(({ text }) => text)).toEqual(['write it'])
    expect(ofKind(planned, 'TOOL_CALL_END')).toMatchObject([{ isError: true }])
    const first = await runAgent(['--continue', '--mode', 'full', '/plan-first write b'], at)
    expect(ofKind(first, 'USER_INPUT').map(({ text }) => text)).toEqual(['write b'])
    expect(ofKind(first, 'TOOL_CALL_END')).toMatchObject([{ isError: true }])
    const alone = await runAgent(['--continue', '/plan-first'], at)
    expect([alone.code, alone.stderr]).toEqual([1, expect.stringContaining('Add the request: /plan-first REQUEST.')])
    const wrong = await runAgent(['--continue', '/model other'], at)
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('Use --model MODEL.')])
  })

  test('without a task, a session continues where its last turn was interrupted', async () => {
    const at = await place([calls(call('glob', { pattern: '*' })), say('Done now.')])
    const first = await runAgent(['--max-rounds', '1', 'look'], at)
    expect(first.code).toBe(1)
    const second = await runAgent(['--continue'], at)
    expect([second.code, second.stderr]).toEqual([0, ''])
    expect(ofKind(second, 'RESUME_REQUESTED')).toHaveLength(1)
    const third = await runAgent(['--continue'], at)
    expect([third.code, third.stderr.split('\n')[0]]).toEqual([1, 'There is no turn to resume.'])
  })

  test('a continued session keeps its mode unless another is given', async () => {
    const at = await place([say('1'), calls(call('write_file', { file_path: 'a.txt', content: 'x' })), say('2')])
    await runAgent(['--approve', 'edits', 'one'], at)
    const second = await runAgent(['--continue', 'two'], at)
    expect(second.code).toBe(0)
    expect(await readFile(join(at.cwd, 'a.txt'), 'utf8')).toBe('x')
  })

  test.each([
    [['--resume', 's_nobody', 'x'], 'There is no session s_nobody.'],
    [['--continue', 'x'], /^There is no session in .* to continue\.$/u],
    [['--answer', 'ap_nobody', 'sign'], 'No request ap_nobody is waiting for an answer.'],
  ])('a session that does not exist is reported in three lines, and no request is sent: %j', async (args, words) => {
    const at = await place([])
    const outcome = await runAgent(args, at)
    const [what, ...rest] = outcome.stderr.trimEnd().split('\n')
    expect([outcome.code, outcome.stdout, rest.length, at.model.requests.length]).toEqual([1, '', 2, 0])
    expect(what).toMatch(words)
  })

  test('a session of another folder is not continued, because only the given folder is trusted', async () => {
    const at = await place([say('Done.')])
    const first = await runAgent(['x'], at)
    const elsewhere = temporaryFolder('other')
    const outcome = await runAgent(['--resume', sessionOf(first), 'more'], { ...at, cwd: elsewhere })
    expect([outcome.code, outcome.stderr]).toEqual([1, expect.stringContaining(`--cwd ${at.cwd}`)])
    expect(at.model.requests).toHaveLength(1)
  })

  test('a session whose folder is gone says so, from that folder and from another one', { timeout: 60_000 }, async () => {
    const at = await place([say('Done.')])
    const worktree = temporaryFolder('worktree')
    const session = sessionOf(await runAgent(['x'], { ...at, cwd: worktree }))
    await rm(worktree, { recursive: true })
    const there = await runAgent(['--resume', session, 'more'], { ...at, cwd: worktree })
    expect([there.code, there.stderr]).toEqual([1, expect.stringContaining(`There is no folder ${worktree}.`)])
    const here = await runAgent(['--resume', session, 'more'], at)
    expect([here.code, here.stderr]).toEqual([1, expect.stringMatching(/this folder cannot be found\.[^]*git worktree add[^]*export s_/u)])
    expect(at.model.requests).toHaveLength(1)
  })
})

describe('a waiting request (R-62)', () => {
  const script = [
    calls(call('write_file', { file_path: 'a.txt', content: 'signed\n' })),
    calls(call('shell', { command: 'echo x > b.txt' })),
    say('Done.'),
  ]

  test('--pause leaves it open, and --answer signs it, or refuses it with a note', async () => {
    const at = await place(script)
    const first = await runAgent(['--pause', 'write'], at)
    expect([first.code, ofKind(first, 'APPROVAL_ANSWERED')]).toEqual([3, []])
    expect(first.stderr).toContain(`--answer ${requestOf(first)} sign`)
    const second = await runAgent(['--pause', '--answer', requestOf(first), 'sign'], at)
    expect([second.code, second.stderr.includes(requestOf(second))]).toEqual([3, true])
    expect(await readFile(join(at.cwd, 'a.txt'), 'utf8')).toBe('signed\n')
    const third = await runAgent(['--answer', requestOf(second), 'refuse', '--note', 'not with a shell'], at)
    expect([third.code, third.stderr]).toEqual([0, ''])
    expect(ofKind(third, 'APPROVAL_ANSWERED').map(({ answer }) => answer)).toEqual([
      { kind: 'refused', note: 'not with a shell', by: 'person' },
    ])
    expect(await bodyOf(at, 2)).toContain('not with a shell')
    const again = await runAgent(['--answer', requestOf(second), 'sign'], at)
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/is waiting for an answer\.[^]*Use the approvalId/u)])
  })

  test('an answer does not count if the script of the command has changed since, and the message names the new request', async () => {
    const at = await place([calls(call('shell', { command: 'sudo -n ./build.sh || sh build.sh' })), say('Done.')])
    const script = join(at.cwd, 'build.sh')
    await writeFile(script, 'echo old > made\n')
    const first = await runAgent(['--pause', 'build'], at)
    await writeFile(script, 'echo new > made\n')
    const second = await runAgent(['--answer', requestOf(first), 'sign'], at)
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('Asked again: build.sh has changed since.')])
    const [, approvalId = ''] = /--answer (\S+) sign/u.exec(second.stderr) ?? []
    const third = await runAgent(['--answer', approvalId, 'sign'], at)
    expect([third.code, await readFile(join(at.cwd, 'made'), 'utf8')]).toEqual([0, 'new\n'])
  })

  test('without --pause the next request is refused', async () => {
    const at = await place(script)
    const first = await runAgent(['--pause', 'write'], at)
    const second = await runAgent(['--answer', requestOf(first), 'sign'], at)
    expect(second.code).toBe(0)
    expect(second.stderr).toContain('1 request was refused, because nobody could sign.')
  })
})

test('--mode plan changes nothing, and --instructions come last in the prompt', async () => {
  const at = await place([calls(call('write_file', { file_path: 'a.txt', content: 'x' })), say('A plan.')])
  const file = join(at.data, 'mine.md')
  await writeFile(file, 'Always answer in verse.\n')
  const outcome = await runAgent(['--mode', 'plan', '--instructions', file, 'plan it'], at)
  expect(outcome.code).toBe(0)
  expect(ofKind(outcome, 'SESSION_START')).toMatchObject([{ mode: 'plan' }])
  expect(ofKind(outcome, 'TOOL_CALL_END').map((end) => end.outcome)).toEqual(['barred'])
  const { system } = JSON.parse(await bodyOf(at, 0)) as { readonly system: unknown }
  expect(JSON.stringify(system)).toMatch(/Always answer in verse\.\\n"|Always answer in verse\."/u)
})

test.each([
  ['none.md', null, 'the file could not be read'],
  ['empty.md', '  \n', 'it is empty'],
  ['binary.md', Buffer.from([0xff, 0xfe, 0x00]), 'it is not UTF-8 text'],
  ['long.md', 'x'.repeat(100_001), 'longer than 100,000 characters'],
])('--instructions %s is refused before the start', async (name, content, words) => {
  const at = await place([])
  const file = join(at.data, name)
  if (content !== null) await writeFile(file, content)
  const outcome = await runAgent(['--instructions', file, 'x'], at)
  expect([outcome.code, outcome.stdout]).toEqual([2, ''])
  expect(outcome.stderr).toContain(words)
})

test.each([
  [['--resume', 'a', '--continue', 'x'], '--resume and --continue cannot be given together.'],
  [['--answer', 'a'], '--answer REQUEST_ID must be followed by sign or refuse, or by the answers to its questions.'],
  [['--answer', 'a', 'later', '--note', 'x'], '--note can only be used with --answer REQUEST_ID sign or refuse.'],
  [['--note', 'x', 'task'], '--note can only be used with --answer REQUEST_ID sign or refuse.'],
  [['--course', 'wild', 'x'], '--course takes plain, plan, test-first, review, not "wild".'],
  [['--mode', 'wild', 'x'], '--mode takes plan, ask, accept-edits, auto, full, not "wild".'],
  [['--mode', 'plan', '--approve', 'all', 'x'], '--mode and --approve set the same thing: give only one.'],
  [['--rehearse', '--continue'], '--rehearse starts its own session and cannot be combined with --continue.'],
  [['--resume', '', 'x'], '--resume needs a value; it was empty.'],
  [['--pause'], 'The task is missing. Give it as the last argument, in quotes.'],
])('%j is refused', (argv, message) => {
  expect(parseRunFlags(argv, '/here')).toEqual({ ok: false, failure: { help: false, message } })
})

test('a JSON line says if its event could not be stored', () => {
  const lines: string[] = []
  const shown = jsonLines(
    (line) => lines.push(line),
    () => null,
  )
  const event = { kind: 'STOP_REQUESTED' } as const
  const sessionId = SessionId.parse('s_1')
  shown.show({ seq: 4, sessionId, after: 3, at: 1, event })
  shown.show({ seq: 4 + 2 ** -20, sessionId, after: 4, at: 1, event })
  expect(lines.map((line) => (JSON.parse(line) as { readonly saved?: boolean }).saved)).toEqual([undefined, false])
})
