import { expect, it } from 'vitest'
import { reviewed } from '../../../../renderer/features/tray/review/reviewed-files.ts'
import type { BlobHash } from '../../../../shared/lib/ids.ts'
import type { Effect } from '../../../../shared/session/effects.ts'

const at = (shown: string) => ({ path: `/project/${shown}`, shown, outside: false, control: false })
const HASH = 'a'.repeat(64) as BlobHash
const deleted = (shown: string): Effect => ({ kind: 'delete', ...at(shown), before: HASH, beforeBytes: 2 })
const written = (shown: string, mode: number): Effect => ({
  kind: 'write',
  ...at(shown),
  before: null,
  after: HASH,
  beforeBytes: 0,
  afterBytes: 2,
  mode,
  lines: { added: 1, removed: 0 },
})
const link = (shown: string, before: string | null, after: string | null): Effect => ({ kind: 'link', ...at(shown), before, after })
const texts = (shown: string, before: string | null, after: string | null) => ({ ...at(shown), before, after })

it.each<readonly [string, readonly Effect[], readonly ReturnType<typeof texts>[], string]>([
  ['a new link', [link('l', null, 'a')], [], 'A link to a.'],
  ['a changed link', [link('l', 'a', 'b')], [], 'The link changes from a to b.'],
  ['a deleted link', [link('l', 'a', null)], [], 'The link is deleted.'],
  ['a link in the place of a file', [deleted('l'), link('l', null, 'a')], [texts('l', 'b\n', null)], 'A link to a replaces it.'],
  [
    'a program in the place of a link',
    [link('l', 'a', null), written('l', 0o755)],
    [texts('l', null, 'b\n')],
    'It replaces a link to a. It can be run as a program (permissions 755).',
  ],
  [
    'a folder in the place of a link',
    [link('l', 'a', null), { kind: 'folder', ...at('l'), change: 'created' }],
    [],
    'The link is deleted. A new, empty folder.',
  ],
])('%s is one part of a request, which says all that changes', (_, effects, files, words) => {
  expect(reviewed(files as never, effects).map((file) => [file.shown, file.words])).toEqual([['l', words]])
})
