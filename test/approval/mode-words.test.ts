import { describe, expect, it } from 'vitest'
import { createPolicy } from '../../main/approval/policy.ts'
import { parseRunFlags } from '../../main/headless/start/flags.ts'
import { modeHint } from '../../renderer/ui/session-options.ts'
import type { Effect } from '../../shared/session/effects.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import { APPROVAL_MODES } from '../../shared/session/settings/approval-mode.ts'
import { BlobHash } from '../../shared/lib/ids.ts'
import { commandEffect } from '../support/effects.ts'

const HASH = BlobHash.parse('0'.repeat(64))
const policy = createPolicy({ root: '/ws', home: '/home/ada' })
const inside = { path: '/ws/a.ts', shown: 'a.ts', outside: false, control: false }
const edit: Effect = { kind: 'write', ...inside, before: HASH, after: HASH, beforeBytes: 1, afterBytes: 2, lines: null }
const run = commandEffect
const noCopy = 'docker needs more than a copy.'

/** What an agent may want to do. A command is given with the changes that it makes. */
const DEEDS = {
  edit: [edit],
  deletion: [{ kind: 'delete', ...inside, before: HASH, beforeBytes: 1 }],
  'control file': [{ ...edit, path: '/ws/AGENTS.md', shown: 'AGENTS.md', control: true }],
  outside: [{ ...edit, path: '/etc/x', shown: '/etc/x', outside: true }],
  web: [{ kind: 'network', url: 'https://example.org/', host: 'example.org' }],
  'reading command': [run('ls')],
  'changing command': [run('npm run build'), edit],
  'deleting command': [run('rm a.ts'), { kind: 'delete', ...inside, before: HASH, beforeBytes: 1 }],
  background: [run('npm run dev', { way: 'background' })],
  'needs more': [run('docker ps', { noCopy })],
  irrecoverable: [run('docker ps; git reset --hard', { noCopy })],
} as const satisfies Readonly<Record<string, readonly Effect[]>>
type Deed = keyof typeof DEEDS

/** Returns the verdict on the deed. For a command, where it would run (`copy`, `confined` or `real`) comes before the verdict. */
function behavior(deed: Deed, mode: ApprovalMode, hasSandbox: boolean): string {
  const [first, ...changes]: readonly Effect[] = DEEDS[deed]
  if (first?.kind !== 'command') return policy.judge(DEEDS[deed], mode).kind
  const way = hasSandbox ? policy.sandboxFor(first, mode, null) : null
  const command = way ? { ...first, sandbox: way } : first
  // Plan mode drops the changes that a command made in its copy.
  const judged = way === 'copy' && mode !== 'plan' ? [command, ...changes] : [command]
  return `${way ?? 'real'} ${policy.judge(judged, mode).kind}`
}

/** Returns all deeds, grouped by their `behavior` in this mode. */
function behaviors(mode: ApprovalMode, hasSandbox: boolean): Readonly<Record<string, readonly Deed[]>> {
  return Object.groupBy(Object.keys(DEEDS) as readonly Deed[], (deed) => behavior(deed, mode, hasSandbox)) as Record<string, Deed[]>
}

function helpLines(): Readonly<Record<string, string>> {
  const asked = parseRunFlags(['--help'], '/here')
  const text = asked.ok ? '' : asked.failure.message
  const rows = [...text.matchAll(/^ {25}(plan|ask|accept-edits|auto|full) +(\S.*(?:\n {39}\S.*)*)/gmu)]
  return Object.fromEntries(rows.map(([, mode = '', words = '']) => [mode, words.replaceAll(/\s+/gu, ' ')]))
}

const ALWAYS_ASK = ['control file', 'outside', 'web'] as const

/** The wording and the behavior of each mode. If one of them changes, the other has to change too. */
const MODES: readonly {
  readonly mode: ApprovalMode
  readonly help: string
  readonly hint: string
  readonly hintWithoutSandbox: string
  readonly behavior: Readonly<Record<string, readonly Deed[]>>
  readonly behaviorWithoutSandbox: Readonly<Record<string, readonly Deed[]>>
}[] = [
  {
    mode: 'plan',
    help: 'reading; commands run in a copy that is thrown away',
    hint: 'The agent can only read. Commands run in a copy that is thrown away, or are blocked.',
    hintWithoutSandbox: 'The agent can only read. Changes and commands are blocked.',
    behavior: {
      deny: ['edit', 'deletion', ...ALWAYS_ASK],
      'copy allow': ['reading command', 'changing command', 'deleting command'],
      'real deny': ['background', 'needs more', 'irrecoverable'],
    },
    behaviorWithoutSandbox: {
      deny: ['edit', 'deletion', ...ALWAYS_ASK],
      'real deny': ['reading command', 'changing command', 'deleting command', 'background', 'needs more', 'irrecoverable'],
    },
  },
  {
    mode: 'ask',
    help: 'reading, and commands that changed nothing in their copy',
    hint: 'Edits need your signature, and so do the changes that commands make, and commands that cannot run in a copy.',
    hintWithoutSandbox: 'Reading the folder is allowed. Edits need your signature, and so do commands that do more than read.',
    behavior: {
      ask: ['edit', 'deletion', ...ALWAYS_ASK],
      'copy allow': ['reading command'],
      'copy ask': ['changing command', 'deleting command'],
      'real ask': ['background', 'needs more', 'irrecoverable'],
    },
    behaviorWithoutSandbox: {
      ask: ['edit', 'deletion', ...ALWAYS_ASK],
      'real allow': ['reading command'],
      'real ask': ['changing command', 'deleting command', 'background', 'needs more', 'irrecoverable'],
    },
  },
  {
    mode: 'accept-edits',
    help: 'also edits in the folder except deletions, and the changes that commands made in their copy',
    hint: 'Edits in the folder and the changes that commands make are allowed. Deletions by tools, control files and commands that cannot run in a copy need your signature.',
    hintWithoutSandbox:
      'Edits in the folder are allowed. Deletions, control files and commands that do more than read need your signature.',
    behavior: {
      allow: ['edit'],
      ask: ['deletion', ...ALWAYS_ASK],
      'copy allow': ['reading command', 'changing command', 'deleting command'],
      'real ask': ['background', 'needs more', 'irrecoverable'],
    },
    behaviorWithoutSandbox: {
      allow: ['edit'],
      ask: ['deletion', ...ALWAYS_ASK],
      'real allow': ['reading command'],
      'real ask': ['changing command', 'deleting command', 'background', 'needs more', 'irrecoverable'],
    },
  },
  {
    mode: 'auto',
    help: 'also background commands, confined to the folder',
    hint: 'Like accept edits. Background commands also run, confined to the folder.',
    hintWithoutSandbox: 'Like accept edits, because there is no sandbox.',
    behavior: {
      allow: ['edit'],
      ask: ['deletion', ...ALWAYS_ASK],
      'copy allow': ['reading command', 'changing command', 'deleting command'],
      'confined allow': ['background'],
      'real ask': ['needs more', 'irrecoverable'],
    },
    behaviorWithoutSandbox: {
      allow: ['edit'],
      ask: ['deletion', ...ALWAYS_ASK],
      'real allow': ['reading command'],
      'real ask': ['changing command', 'deleting command', 'background', 'needs more', 'irrecoverable'],
    },
  },
  {
    mode: 'full',
    help: 'also deletions, and all commands, which run for real: they can read, change and send whatever your user can',
    hint: 'Everything in the folder is allowed, and commands run with all your rights. Control files, files outside the folder, web requests and irrecoverable commands still need your signature.',
    hintWithoutSandbox:
      'Everything in the folder is allowed, and commands run with all your rights. Control files, files outside the folder, web requests and irrecoverable commands still need your signature.',
    behavior: {
      allow: ['edit', 'deletion'],
      ask: ALWAYS_ASK,
      'real allow': ['reading command', 'changing command', 'deleting command', 'background', 'needs more'],
      'real ask': ['irrecoverable'],
    },
    behaviorWithoutSandbox: {
      allow: ['edit', 'deletion'],
      ask: ALWAYS_ASK,
      'real allow': ['reading command', 'changing command', 'deleting command', 'background', 'needs more'],
      'real ask': ['irrecoverable'],
    },
  },
]

describe('the wording of a mode and what the mode does', () => {
  it.each(MODES)('$mode: the desk’s hints, --help and the policy agree', (row) => {
    const { mode } = row
    expect({
      mode,
      help: helpLines()[mode],
      hint: modeHint(mode, true),
      hintWithoutSandbox: modeHint(mode, false),
      behavior: behaviors(mode, true),
      behaviorWithoutSandbox: behaviors(mode, false),
    }).toEqual(row)
  })

  it('the test’s table has a row for every mode', () => {
    expect(MODES.map(({ mode }) => mode)).toEqual([...APPROVAL_MODES])
  })

  it.each([
    ['none', 'ask'],
    ['edits', 'accept-edits'],
    ['all', 'full'],
  ])('--approve %s is mode %s, as --help says', (approve, mode) => {
    expect(parseRunFlags(['--approve', approve, 'x'], '/here')).toMatchObject({ ok: true, value: { mode } })
  })
})
