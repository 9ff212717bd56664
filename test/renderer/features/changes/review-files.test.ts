import { expect, test } from 'vitest'
import { byFolder, moved, type ReviewFile } from '../../../../renderer/features/changes/review-files.ts'
import { withCounts } from '../../../../renderer/state/hooks/changes/use-changed-files.ts'
import type { BlobHash, ToolCallId } from '../../../../shared/lib/ids.ts'
import type { FileChange } from '../../../../shared/session/file-change.ts'
import type { CallItem } from '../../../../shared/session/state.ts'

const hash = (letter: string): BlobHash => letter.repeat(64) as BlobHash
const file = (shown: string): ReviewFile => ({
  path: `/p/${shown}`,
  absolute: `/p/${shown}`,
  shown,
  before: hash('a'),
  after: hash('b'),
  steps: [1],
  madeBy: [],
  lines: null,
})

const change = (shown: string, lines: FileChange['lines']): FileChange => ({
  path: `/p/${shown}`,
  shown,
  before: hash('a'),
  after: hash('b'),
  beforeBytes: 1,
  afterBytes: 2,
  beforeMode: 0o644,
  afterMode: 0o644,
  lines,
})

const call = (step: number, files: readonly FileChange[]): CallItem => ({
  kind: 'call',
  id: `call-${step}`,
  at: step,
  toolCallId: `call-${step}` as ToolCallId,
  step,
  toolName: 'edit_file',
  args: null,
  status: 'done',
  effects: [],
  approval: null,
  signedBy: null,
  files,
  startedAt: 1,
  endedAt: 2,
  durationMs: 1,
  output: '',
  outputBlob: null,
  isError: false,
  details: null,
  tail: null,
})

test('files are listed under their folders in natural name order, those of the project folder last', () => {
  const groups = byFolder(['src/b/z.ts', 'README.md', 'src/a/104.ts', 'src/a/13.ts', 'src/a/111.ts', 'src/b/c.ts'].map(file))
  expect(groups.map(({ folder, files }) => [folder, files.map(({ shown }) => shown)])).toEqual([
    ['src/a', ['src/a/13.ts', 'src/a/104.ts', 'src/a/111.ts']],
    ['src/b', ['src/b/c.ts', 'src/b/z.ts']],
    ['', ['README.md']],
  ])
})

test('a file changed by one step has that step’s counts; one changed by several has none until its texts are compared', () => {
  const counts = { added: 3, removed: 1 }
  const calls = [call(1, [change('a.ts', counts)]), call(2, [change('b.ts', counts)]), call(3, [change('b.ts', counts)])]
  const files = [
    { path: '/p/a.ts', shown: 'a.ts', before: hash('a'), after: hash('b'), steps: [1], madeBy: [] },
    { path: '/p/b.ts', shown: 'b.ts', before: hash('a'), after: hash('c'), steps: [2, 3], madeBy: [] },
  ]
  expect(withCounts(files, calls).map(({ shown, lines }) => [shown, lines])).toEqual([
    ['a.ts', counts],
    ['b.ts', null],
  ])
})

test('moving on goes from the last hunk of a file to the first of the next, and back', () => {
  const order = ['a', 'b']
  expect(moved({ path: 'a', hunk: 0 }, 'next-hunk', order, 2)).toEqual({ path: 'a', hunk: 1 })
  expect(moved({ path: 'a', hunk: 1 }, 'next-hunk', order, 2)).toEqual({ path: 'b', hunk: 0 })
  expect(moved({ path: 'b', hunk: 1 }, 'next-hunk', order, 2)).toEqual({ path: 'b', hunk: 1 })
  expect(moved({ path: 'b', hunk: 0 }, 'previous-hunk', order, 2)).toEqual({ path: 'a', hunk: -1 })
  expect(moved({ path: 'a', hunk: 0 }, 'previous-hunk', order, 2)).toEqual({ path: 'a', hunk: 0 })
  expect(moved({ path: 'a', hunk: 1 }, 'next-file', order, 2)).toEqual({ path: 'b', hunk: 0 })
  expect(moved({ path: 'a', hunk: 1 }, 'previous-file', order, 2)).toEqual({ path: 'a', hunk: 1 })
})

test('the same key moves past a file without hunks, such as an image', () => {
  expect(moved({ path: 'a', hunk: 0 }, 'next-hunk', ['a', 'b'], 0)).toEqual({ path: 'b', hunk: 0 })
})
