import { describe, expect, test } from 'vitest'
import { linesOf, needWords, signWords, withoutPath } from '../../../../renderer/features/tray/request-words.ts'
import { NOTHING_DECIDED, postponed, refused } from '../../../../renderer/state/stores/review-decisions.ts'
import { titleOf } from '../../../../renderer/state/views/request-title.ts'
import { wordsOf } from '../../../../renderer/ui/calls/call-words.ts'
import type { BlobHash } from '../../../../shared/lib/ids.ts'
import type { Effect } from '../../../../shared/session/effects.ts'
import { emptySession, foldAll } from '../../../../shared/session/fold/fold.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import { begun, requested, SESSION, stamped, started } from '../../../agent/support/events.ts'

const place = { outside: false, control: false } as const
const write = (shown: string, before: string | null = 'a'): Effect => ({
  kind: 'write',
  path: `/code/${shown}`,
  shown,
  ...place,
  before: before as BlobHash | null,
  after: 'b' as BlobHash,
  beforeBytes: 1,
  afterBytes: 2,
  lines: { added: 1, removed: 1 },
})
const remove = (shown: string): Effect => ({
  kind: 'delete',
  path: `/code/${shown}`,
  shown,
  ...place,
  before: 'a' as BlobHash,
  beforeBytes: 1,
})
const command = (destructive: boolean): Effect => ({
  kind: 'command',
  command: 'ls',
  cwd: '/code',
  outside: false,
  env: {},
  timeoutMs: 1,
  destructive,
})

function call(effects: readonly Effect[], destructive = false, toolName = 'shell'): CallItem {
  const events = [started(), begun('c', toolName), { ...requested('c', 'ap'), effects, destructive }] as const
  return foldAll(emptySession(SESSION), stamped(events)).items[0] as CallItem
}

describe('the text of a request', () => {
  test('a move is one change, shown with its new and old path', () => {
    const move = call([remove('a.ts'), { ...write('b.ts', null), movedFrom: { path: '/code/a.ts', shown: 'a.ts' } } as Effect])
    expect([signWords(move), titleOf(move), linesOf(move)]).toEqual(['Sign move', 'Move b.ts', { added: 1, removed: 1 }])
    const more = call([...move.effects, write('c.ts', null)], false, 'apply_patch')
    expect([signWords(more), titleOf(more), linesOf(more), wordsOf(more).verb]).toEqual(['Sign 2 changes', 'Change 2 files', null, 'Edit'])
  })

  test.each([
    ['one edit: its path', call([write('src/day.ts')]), 'Edit src/day.ts', 'Sign edit'],
    ['a new file', call([write('src/day.ts', null)]), 'Create src/day.ts', 'Sign new file'],
    ['several edits', call([write('a'), write('b')]), 'Edit 2 files', 'Sign 2 changes'],
    ['two edits of one file', call([write('a'), write('a')]), 'Edit a', 'Sign 2 changes'],
    ['edits and deletions', call([write('a'), remove('b')]), 'Change 2 files', 'Sign 2 changes'],
    ['a deletion', call([remove('a')]), 'Delete a', 'Sign deletion'],
    ['a command', call([command(false)]), 'Run ls', 'Sign and run'],
    ['a command that can delete data needs a held button', call([command(true)], true), 'Run ls', 'Hold to sign and run'],
    ['a tool with unknown effects', call([{ kind: 'unknown', summary: '?' }]), 'Use shell', 'Sign'],
    ['a plan', call([{ kind: 'mode', to: 'ask', plan: 'First the test.' }]), 'Plan', 'Sign plan'],
    ['access to the network', call([{ kind: 'network', url: 'https://x.test', host: 'x.test' }]), 'Reach the network', 'Sign'],
    [
      'reading outside the folder',
      call([{ kind: 'read', path: '/etc/hosts', shown: '/etc/hosts', outside: true, control: false }]),
      'Read outside the folder',
      'Sign',
    ],
  ])('%s', (_, request, title, sign) => {
    expect({ title: titleOf(request), sign: signWords(request) }).toEqual({ title, sign })
  })

  test('of a long list of which nothing is signed and a part is decided later, the button refuses the rest', () => {
    const pieces = ['a', 'b', 'c'].map((path) => ({ kind: 'whole', key: path, path }) as const)
    const decided = refused(postponed(NOTHING_DECIDED, ['a']), ['b', 'c'])
    const list = { compared: 3, arranged: { same: [], others: [] } }
    const words = (now: typeof decided) => signWords(call([write('a'), write('b')]), { pieces, decided: now, git: null, list })
    expect([words(decided), words(NOTHING_DECIDED)]).toEqual(['Refuse 2 of 3 hunks', 'Sign 3 files'])
  })

  test('shows how many requests wait and which key answers', () => {
    expect(needWords(call([write('a')]), 1)).toBe('Edit a, Control J to answer')
    expect(needWords(call([command(false)]), 3)).toBe('Run ls, 3 requests wait, Control J to answer')
    expect(needWords(call([command(true)], true), 1)).toBe('Run ls, can delete data, Control J to answer')
  })

  test.each([
    ['A change to src/day.js needs your signature.', 'A change needs your signature.'],
    ['The new file src/day.js needs your signature.', 'The new file needs your signature.'],
    ['A new file, src/day.js needs your signature.', 'A new file needs your signature.'],
    ['The removal of src/day.js needs your signature.', 'The removal needs your signature.'],
    ['src/day.js is outside the folder.', 'It is outside the folder.'],
    ['It writes src/day.jsx, which decides what runs.', 'It writes src/day.jsx, which decides what runs.'],
  ])('mentions its only path once: %s', (reason, said) => {
    expect(withoutPath(reason, 'src/day.js')).toBe(said)
  })
})

test('the header shows line counts only for a single edited file', () => {
  const counted = { added: 1, removed: 1 }
  expect([linesOf(call([write('a')])), linesOf(call([write('a'), write('b')])), linesOf(call([remove('a')]))]).toEqual([
    counted,
    null,
    null,
  ])
})
