import { describe, expect, it } from 'vitest'
import { parseRunFlags } from '../../../main/headless/start/flags.ts'
import { PROVIDERS } from '../../../main/providers/provider-registry.ts'

function helpFor(providers: Parameters<typeof parseRunFlags>[2]): string {
  const asked = parseRunFlags(['--help'], '/here', providers)
  return asked.ok ? '' : asked.failure.message
}

describe('Invalid arguments', () => {
  it.each(['--data', '--cwd', '--model', '--base-url'])('an empty %s is refused, and the message names it', (flag) => {
    expect(parseRunFlags([flag, '', 'task'], '/here')).toEqual({
      ok: false,
      failure: { help: false, message: `${flag} needs a value; it was empty.` },
    })
  })

  it.each([
    [['task', '--image'], '--image needs a value.'],
    [['--image', '--pty', 'task'], '--image needs a value.'],
    [['--pty=yes', 'task'], '--pty takes no value.'],
    [['--bogus', 'task'], 'There is no option --bogus.'],
    [['-x', 'task'], 'There is no option -x.'],
    [['undo'], '"undo" is a command: undo STEP. A task needs more than this word.'],
    [['--continue', 'redo'], '"redo" is a command: redo last. A task needs more than this word.'],
    [
      ['doctor', '--model', 'm'],
      '"doctor" is a command: doctor, which accepts only --repair, --json and --data. A task needs more than this word.',
    ],
    [['search', 'two', 'words'], '"search" is a command: search "WORDS". Put a task in quotes.'],
    [['plan', 'p.md', 'one', 'two'], 'Put the task in quotes: there were 2 arguments.'],
  ])('%j is refused in one sentence', (argv, message) => {
    expect(parseRunFlags(argv, '/here')).toEqual({ ok: false, failure: { help: false, message } })
  })

  it('a task that begins with the name of a command is still a task, but the single word help asks for help', () => {
    expect(parseRunFlags(['undo the rename'], '/here')).toMatchObject({ ok: true, value: { task: 'undo the rename', undo: null } })
    expect(parseRunFlags(['--answer', 'a_1', 'search'], '/here')).toMatchObject({ ok: true })
    expect(parseRunFlags(['help'], '/here')).toMatchObject({ ok: false, failure: { help: true } })
  })

  it.each(['', ' \n\t'])('an empty task %j is refused', (task) => {
    expect(parseRunFlags([task], '/here')).toEqual({
      ok: false,
      failure: { help: false, message: 'The task is missing. Give it as the last argument, in quotes.' },
    })
  })

  it('a rehearsal accepts no task', () => {
    expect(parseRunFlags(['--rehearse', 'task'], '/here')).toEqual({
      ok: false,
      failure: { help: false, message: '--rehearse has its own task and takes no other.' },
    })
  })

  it.each(['ftp://x', 'http://example.org', 'https://name:password@example.org', 'nonsense'])(
    'an invalid address is refused immediately: %s',
    (url) => {
      const parsed = parseRunFlags(['--provider', 'anthropic', '--base-url', url, 'task'], '/here')
      expect(!parsed.ok && parsed.failure.message).toMatch(/^--base-url: /)
    },
  )

  it.each([
    ['0', 0],
    ['90', 90_000],
    ['3600', 3_600_000],
  ])('--retry-for %s retries a failing service for that many seconds', (value, retryForMs) => {
    expect(parseRunFlags(['--retry-for', value, 'x'], '/here')).toMatchObject({ ok: true, value: { retryForMs } })
  })

  it.each(['-1', '1.5', '', 'ten', '3601'])('--retry-for refuses %j', (value) => {
    expect(parseRunFlags([`--retry-for=${value}`, 'x'], '/here')).toMatchObject({ ok: false })
  })

  it.each(['0', '-1', '1.5', '', 'ten', '1e3'])('--max-rounds and --idle-limit accept whole numbers, not %j', (value) => {
    for (const name of ['max-rounds', 'idle-limit'])
      expect(parseRunFlags([`--${name}=${value}`, 'task'], '/here')).toEqual({
        ok: false,
        failure: { help: false, message: `--${name} takes a whole number from 1.` },
      })
  })
})

describe('Providers', () => {
  const registry = PROVIDERS.map((entry) => ({ ...entry, available: entry.id === 'anthropic' || entry.id === 'rehearsal' }))

  it('rejects an unsupported provider and lists the supported ones', () => {
    expect(parseRunFlags(['--provider', 'gemini', 'task'], '/here', registry)).toEqual({
      ok: false,
      failure: { help: false, message: '--provider does not take "gemini" yet. Supported: anthropic.' },
    })
  })

  it('every provider but rehearsal is accepted', () => {
    const all = PROVIDERS.map((entry) => ({ ...entry, available: true }))
    for (const { id } of all.filter(({ id: name }) => name !== 'rehearsal'))
      expect(parseRunFlags(['--provider', id, 'task'], '/here', all)).toMatchObject({ ok: true, value: { provider: id } })
    expect(parseRunFlags(['--provider', 'rehearsal', 'task'], '/here', all)).toMatchObject({ ok: false })
  })

  it('the help lists exactly the supported providers, and the variables of their keys', () => {
    const help = helpFor(registry)
    expect(help).toMatch(/^ +--provider NAME +anthropic$/mu)
    expect(help).toContain('ANTHROPIC_API_KEY')
    // The help names Gemini, because Gemini's servers can be imported with any provider.
    expect(help.replace('Gemini', '')).not.toMatch(/gemini|openai/i)
  })
})

describe('the help and --sandbox', () => {
  const help = helpFor(PROVIDERS)

  it('the help says that commands run in a copy, and that --approve is another name for --mode', () => {
    expect(help).toMatch(/--approve WHAT\s+none, edits or all: another name for --mode ask, accept-edits or full/)
    expect(help).toMatch(/--sandbox WHEN\s+auto \(default\): commands run in a copy of the folder first, without network/)
  })

  it.each([
    [[], 'auto'],
    [['--sandbox', 'off'], 'off'],
    [['--sandbox=require'], 'require'],
  ] as const)('%j: the sandbox is %s', (flags, sandbox) => {
    expect(parseRunFlags([...flags, 'task'], '/here')).toMatchObject({ ok: true, value: { sandbox } })
  })

  it('an unknown value for --sandbox is refused', () => {
    expect(parseRunFlags(['--sandbox', 'on', 'task'], '/here')).toMatchObject({
      ok: false,
      failure: { message: '--sandbox takes auto, require, off, not "on".' },
    })
  })

  it('the help lists every option and every exit code', () => {
    const options = [
      'cwd',
      'provider',
      'model',
      'base-url',
      'effort',
      'approve',
      'max-rounds',
      'idle-limit',
      'data',
      'json',
      'no-json',
      'rehearse',
    ]
    expect(options.filter((name) => !help.includes(`--${name}`))).toEqual([])
    expect(
      ['0    the agent finished', '1    the agent did not', '2    wrong usage', '3    paused', '130  a second'].filter(
        (words) => !help.includes(words),
      ),
    ).toEqual([])
  })
})
