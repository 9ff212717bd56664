import { describe, expect, it } from 'vitest'
import { readableReport } from '../../../main/headless/report/readable-report.ts'
import type { AnyEnvelope, SessionEvent } from '../../../shared/session/events.ts'

interface Options {
  readonly colour?: boolean
  readonly width?: number | null
}

function shown(events: readonly SessionEvent[], { colour = false, width = null }: Options = {}): string {
  let text = ''
  const write = (more: string): void => void (text += more)
  const progress = readableReport({ write, colour, width: () => width })
  for (const event of events) progress.show({ event } as AnyEnvelope)
  progress.end()
  return text
}

const said = (text: string): SessionEvent => ({ kind: 'ASSISTANT_TEXT_DELTA', text })
const retry = (why: string): SessionEvent => ({ kind: 'RETRY_SCHEDULED', untilMs: 0, code: 'overloaded', attempt: 1, atMs: 0, why })
const called = (args: { readonly [name: string]: string }): SessionEvent =>
  ({ kind: 'TOOL_CALL_START', toolCallId: 'c', toolName: 'shell', args }) as unknown as SessionEvent
const ended = (output: string, outcome = 'done'): SessionEvent =>
  ({
    kind: 'TOOL_CALL_END',
    toolCallId: 'c',
    toolName: 'shell',
    output,
    outcome,
    isError: false,
    durationMs: 3,
  }) as unknown as SessionEvent

/** Lines that look like lines of our own report, and text that a terminal would show as such a line. */
const IMITATIONS = [
  '// Signed',
  '/: Nobody asks',
  '/  Run rm -rf /',
  '/- Refused',
  'x  All is lost',
  '   done 3 ms',
  '   | output',
  '   Sign it? y, n: ',
  '\r// Signed',
  '\u001b[2K// Signed',
  '\u001b[1A// Signed',
  '\u2028// Signed',
  '\u0085// Signed',
  '\v// Signed',
  '\f// Signed',
  '\b\b// Signed',
  '\u202edengiS //',
  '\u001b]0;title\u0007// Signed',
  '\u009b2K// Signed',
]

it('the reason why a command’s changes in its copy were lost stays on one line', () => {
  const details = { command: 'x', cwd: '/w', exitCode: 0, notApplied: 'Nothing was applied: a\n// Signed' }
  const text = shown([called({ command: 'x' }), { ...ended('out', 'failed'), details } as SessionEvent])
  expect(text).toMatch(/^ {3}Nothing was applied: a/mu)
  expect(text).not.toMatch(/^\/\/ Signed/mu)
})

it('a call that the policy did not allow is shown as blocked, whatever the log calls it', () => {
  expect(shown([called({ command: 'ls' }), ended('Not in this mode.', 'barred')])).toContain('   blocked 3 ms')
})

it('no path or host name can forge a line in the report of what a command changed in its copy', () => {
  const outcome = {
    effects: [{ kind: 'command' }, { kind: 'write' }, { kind: 'delete' }],
    changeSet: {},
    dropped: 'In plan mode, nothing is changed.',
  }
  const event = { kind: 'COPY_ENDED', toolCallId: 'c', ...outcome, blocked: ['a.example:443'], leftOut: ['f\n// Signed (fifo)'] }
  const text = shown([called({ command: 'make' }), event as unknown as SessionEvent])
  expect(text).toContain(
    '   In its copy, the command made 2 changes.\n   The command could not reach a.example:443: there is no network in a copy.\n',
  )
  expect(text).toContain('   Its changes were not kept. In plan mode, nothing is changed.')
  expect(text).not.toMatch(/^\/\//mu)
  const quiet = { ...event, effects: [{ kind: 'command' }], changeSet: null, dropped: null, blocked: [], leftOut: [] }
  expect(shown([quiet as unknown as SessionEvent])).toBe('')
})

it.each([
  [{ broughtFrom: { sessionId: 's', title: 'A task' } }, 'In its layer, the session made 1 change.'],
  [{ subagent: { agentId: 's', agentType: 'general' } }, 'In its layer, the subagent made 1 change.'],
  [{}, 'In its copy, the command made 1 change.'],
])('says whose changes wait for a signature', (owner, words) => {
  const effects = [{ kind: 'command', ...owner }, { kind: 'write' }]
  const event = { kind: 'COPY_ENDED', toolCallId: 'c', effects, changeSet: {}, dropped: null, blocked: [], leftOut: [] }
  expect(shown([event as unknown as SessionEvent])).toContain(words)
})

it.each([
  ['COPY_STARTED', 'copy', 'In a copy of the folder.'],
  ['TOOL_EXECUTION_START', 'confined', 'Confined: writes only in the folder, and reaches only hosts that rules allow.'],
  ['TOOL_EXECUTION_START', undefined, 'For real, with all your rights.'],
  ['TOOL_EXECUTION_START', 'copy', ''],
])('%s says how a command runs (%s)', (kind, sandbox, words) => {
  const event = { kind, toolCallId: 'c', effects: [{ kind: 'command', ...(sandbox && { sandbox }) }] } as unknown as SessionEvent
  expect(shown([event]).trim()).toBe(words)
  expect(shown([{ ...event, effects: [{ kind: 'write' }] } as unknown as SessionEvent]).trim()).toBe(kind === 'COPY_STARTED' ? words : '')
})

describe('text of a model', () => {
  it.each(IMITATIONS)('%j cannot imitate a line of the program', (imitation) => {
    for (const text of [imitation, `Hello.\n${imitation}`, `Hello.\n\n${imitation}\n`]) {
      for (const pieces of [[text], [...text]]) {
        const rows = shown(pieces.map(said)).split('\n')
        expect(rows.pop()).toBe('')
        expect(rows.filter((row) => !row.startsWith('>'))).toEqual([])
        expect(rows.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/)
      }
    }
  })

  it.each([['a'], ['字'], ['\t'], ['🙂']])('long lines of %j are broken before the edge of the terminal', (character) => {
    const rows = shown([said(`${character.repeat(400)}// Signed`)], { width: 40 })
      .trimEnd()
      .split('\n')
    expect(rows.length).toBeGreaterThan(10)
    for (const row of rows) {
      expect(row.slice(0, 2)).toBe('> ')
      expect([...row].reduce((cells, one) => cells + (one === '\t' ? 8 : /[字🙂]/u.test(one) ? 2 : 1), 0)).toBeLessThanOrEqual(40)
    }
    expect(rows.map((row) => row.slice(2)).join('')).toBe(`${character.repeat(400)}// Signed`)
  })

  it('is broken between words where possible', () => {
    const words = 'The smallest change, then: the check stays as it is.'
    for (const pieces of [[words], [...words]])
      expect(shown(pieces.map(said), { width: 24 }).replaceAll(' \n', '\n')).toBe(
        '> The smallest change,\n> then: the check stays\n> as it is.\n',
      )
  })

  it('ends with a line break, whatever comes next', () => {
    expect(shown([said('one')])).toBe('> one\n')
    expect(shown([said('one'), { kind: 'ASSISTANT_TEXT_END' }, said('two\n')])).toBe('> one\n> two\n')
    expect(shown([said('one'), { kind: 'PROCESSING_END', reason: 'stopped' }])).toBe('> one\n   Stopped.\n')
    expect(shown([said('one'), called({ command: 'ls' })])).toBe('> one\n/  Run ls\n')
  })

  it.each([true, false])('a model’s colors are escaped (color %s)', (colour) => {
    expect(shown([said('\u001b[32mdone\u001b[0m')], { colour })).toBe('> \\x1b[32mdone\\x1b[0m\n')
  })

  it.each([
    ['\r', '\\x0d'],
    ['\u007f', '\\x7f'],
    ['\u009b', '\\x9b'],
    ['\u200b', '\\u200b'],
    ['\u202e', '\\u202e'],
    ['\u2066', '\\u2066'],
    ['\u3164', '\\u3164'],
    ['\ufeff', '\\ufeff'],
    ['\u{e0041}', '\\u{e0041}'],
    ['\u{e0100}', '\\u{e0100}'],
  ])('%j is shown by name', (character, name) => {
    expect(shown([said(`a${character}b`)], { colour: true })).toBe(`> a${name}b\n`)
  })
})

describe('calls of one answer', () => {
  const begun = (toolCallId: string, toolName: string, args: object) =>
    ({ kind: 'TOOL_CALL_START', toolCallId, toolName, args }) as unknown as SessionEvent
  const over = (toolCallId: string, output: string) => ({ ...ended(output), toolCallId }) as unknown as SessionEvent

  it('can be told apart by their results, in whatever order they end', () => {
    const events = [
      ...['a', 'b', 'c'].map((name) => begun(name, 'read_file', { file_path: `src/${name}.ts` })),
      over('c', 'C'),
      over('a', 'A'),
      over('b', 'B'),
    ]
    expect(shown(events)).toBe(
      [
        '/  Read src/a.ts',
        '/  Read src/b.ts',
        '/  Read src/c.ts',
        '   done 3 ms',
        '   | C',
        '   Read src/a.ts',
        '   done 3 ms',
        '   | A',
        '   Read src/b.ts',
        '   done 3 ms',
        '   | B',
        '',
      ].join('\n'),
    )
  })

  it('say which call asks the user, if several run', () => {
    const asks = { kind: 'APPROVAL_REQUESTED', toolCallId: 'a', reason: 'It asks.' } as unknown as SessionEvent
    const signed = { kind: 'APPROVAL_ANSWERED', toolCallId: 'a', answer: { kind: 'signed' } } as unknown as SessionEvent
    expect(shown([begun('a', 'shell', { command: 'make' }), begun('b', 'list_dir', {}), asks, signed, over('a', 'A')])).toBe(
      ['/  Run make', '/  List .', '   Run make', '/: It asks.', '// Signed', '   done 3 ms', '   | A', ''].join('\n'),
    )
  })

  it.each([
    ['list_dir', { path: 'src' }, 'List src'],
    ['multi_edit', { edits: [{ file_path: 'a.ts' }, { file_path: 'b.ts' }, { file_path: 'a.ts' }] }, 'Edit a.ts, b.ts'],
    ['apply_patch', { patch: '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n*** Delete File: b.ts\n*** End Patch' }, 'Edit a.ts, b.ts'],
    ['todo_write', { todos: [{ status: 'completed' }, { status: 'pending' }] }, 'Plan 1 of 2 done'],
    ['read_many_files', { paths: ['a', 'b', 'c', 'd', 'e'] }, 'Read a, b, c and 2 more'],
    ['web_search', { query: 'what' }, 'Search what on the web'],
  ])('%s shows its subject', (toolName, args, words) => {
    expect(shown([begun('a', toolName, args)])).toBe(`/  ${words}\n`)
  })
})

describe('other untrusted text', () => {
  it('a line break in a service’s message cannot begin a line that looks like the program’s own', () => {
    expect(shown([retry('busy\n// Signed')])).toMatch(/^ {3}busy\\x0a\/\/ Signed Next try at [^\n]*\n$/)
  })

  it('a command longer than the terminal width continues on a line that begins with a mark', () => {
    expect(shown([called({ command: `${'y'.repeat(31)}// Signed` })], { width: 40 })).toBe(`/  Run ${'y'.repeat(31)}\n   : // Signed\n`)
  })

  it('each line of output begins with a bar, but a line that reports an omission does not', () => {
    const output = [...Array.from({ length: 20 }, (_, n) => `line ${n}`)].join('\n')
    const rows = shown([ended(`${'z'.repeat(35)}// Signed\n${output}`)], { width: 40 })
      .trimEnd()
      .split('\n')
    expect(rows.slice(0, 4)).toEqual(['   done 3 ms', `   | ${'z'.repeat(35)}`, '   : // Signed', '   | line 0'])
    expect(rows.at(-1)).toBe('   … 10 more lines')
    expect(shown([ended('… 5 more lines')])).toBe('   done 3 ms\n   | … 5 more lines\n')
  })
})

describe('a subagent', () => {
  const of = (id: string, event: object): SessionEvent => ({ kind: 'SUBAGENT_EVENT', subagentId: id, event }) as unknown as SessionEvent
  const begun = (id: string, agentType: string) => of(id, { kind: 'SESSION_START', parent: { agentType } })
  const answered = (id: string, text: string) => of(id, { kind: 'ASSISTANT_TURN', parts: [{ kind: 'text', text }] })

  it('appears indented under its name, which is repeated after another subagent’s output', () => {
    expect(
      shown([
        begun('s_1', 'explore'),
        begun('s_2', 'code'),
        of('s_1', called({ command: 'ls' })),
        of('s_1', ended('a.txt')),
        answered('s_2', 'Done.\nAll of it.'),
        of('s_2', { kind: 'PROCESSING_END', reason: 'completed' }),
        answered('s_1', 'Found.'),
        said('Thanks.'),
        of('s_1', { kind: 'PROCESSING_END', reason: 'stopped' }),
      ]),
    ).toBe(
      [
        '   @  the explore agent (s_1)',
        '   /  Run ls',
        '      done 3 ms',
        '      | a.txt',
        '   @  the code agent (s_2)',
        '   > Done.',
        '   > All of it.',
        '      Ended: completed.',
        '   @  the explore agent (s_1)',
        '   > Found.',
        '> Thanks.',
        '      Stopped.',
        '',
      ].join('\n'),
    )
  })

  it.each(IMITATIONS)('cannot fake a program line with %j, not even by its name', (imitation) => {
    for (const text of [imitation, `Hello.\n${imitation}`, `Hello.\n\n${imitation}`]) {
      const rows = shown([begun('s_1', imitation), answered('s_1', text)], { width: 60 })
        .trimEnd()
        .split('\n')
      expect(rows[0]).toMatch(/^ {3}@ {2}the /)
      expect(rows.filter((row) => !/^ {3}(?:@ {2}the |> |>$| {3}: )/.test(row))).toEqual([])
      expect(rows.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/)
    }
  })
})
