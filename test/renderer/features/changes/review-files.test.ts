import { expect, test } from 'vitest'
import {
  filesOfCall,
  changedFilesOfEntries,
  filesOfSubagents,
  outsideEdits,
  turnOf,
} from '../../../../renderer/features/changes/changed-files-of-entries.ts'
import { byFolder } from '../../../../renderer/ui/diff/by-folder.ts'
import { moved, type ReviewFile, sidesOf } from '../../../../renderer/features/changes/review-files.ts'
import { withCounts } from '../../../../renderer/state/hooks/changes/use-changed-files.ts'
import type { SubagentEdit } from '../../../../shared/api/changes/changes.ts'
import type { BlobHash, ToolCallId } from '../../../../shared/lib/ids.ts'
import type { FileChange } from '../../../../shared/session/file-change.ts'
import type { CallItem, Item } from '../../../../shared/session/state.ts'

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

test('files are listed by folder in natural order, with the project folder’s own files last', () => {
  const groups = byFolder(['src/b/z.ts', 'README.md', 'src/a/104.ts', 'src/a/13.ts', 'src/a/111.ts', 'src/b/c.ts'].map(file))
  expect(groups.map(({ folder, files }) => [folder, files.map(({ shown }) => shown)])).toEqual([
    ['src/a', ['src/a/13.ts', 'src/a/104.ts', 'src/a/111.ts']],
    ['src/b', ['src/b/c.ts', 'src/b/z.ts']],
    ['', ['README.md']],
  ])
})

test('a file’s line counts are known at once only if a single step changed it', () => {
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

test('moving on from a file’s last hunk goes to the next file’s first hunk, and moving back does the opposite', () => {
  const order = ['a', 'b']
  expect(moved({ path: 'a', hunk: 0 }, 'next-hunk', order, 2)).toEqual({ path: 'a', hunk: 1 })
  expect(moved({ path: 'a', hunk: 1 }, 'next-hunk', order, 2)).toEqual({ path: 'b', hunk: 0 })
  expect(moved({ path: 'b', hunk: 1 }, 'next-hunk', order, 2)).toEqual({ path: 'b', hunk: 1 })
  expect(moved({ path: 'b', hunk: 0 }, 'previous-hunk', order, 2)).toEqual({ path: 'a', hunk: -1 })
  expect(moved({ path: 'a', hunk: 0 }, 'previous-hunk', order, 2)).toEqual({ path: 'a', hunk: 0 })
  expect(moved({ path: 'a', hunk: 1 }, 'next-file', order, 2)).toEqual({ path: 'b', hunk: 0 })
  expect(moved({ path: 'a', hunk: 1 }, 'previous-file', order, 2)).toEqual({ path: 'a', hunk: 1 })
})

test('moving to the next hunk also moves past a file without hunks, such as an image', () => {
  expect(moved({ path: 'a', hunk: 0 }, 'next-hunk', ['a', 'b'], 0)).toEqual({ path: 'b', hunk: 0 })
})

const user = (id: string): Item => ({ ...({ kind: 'user', id } as Item) })
const between = (shown: string, before: string, after: string): FileChange => ({
  ...change(shown, null),
  before: hash(before),
  after: hash(after),
})

test('a turn’s review contains each file changed between two user messages once', () => {
  const items = [
    user('u1'),
    call(1, [between('a.ts', 'a', 'b')]),
    user('u2'),
    call(2, [between('a.ts', 'b', 'c')]),
    call(3, [between('a.ts', 'c', 'd'), between('b.ts', 'a', 'b')]),
    user('u3'),
    call(4, [between('a.ts', 'd', 'e')]),
  ]
  const turn = turnOf(items, 0, 'call-3' as ToolCallId) ?? []
  expect(changedFilesOfEntries(turn).map(({ shown, before, after, steps }) => [shown, before, after, steps])).toEqual([
    ['a.ts', hash('b'), hash('d'), [2, 3]],
    ['b.ts', hash('a'), hash('b'), [3]],
  ])
})

test('a turn is not shown until its first message is loaded', () => {
  const items = [call(1, [between('a.ts', 'a', 'b')]), user('u2'), call(2, [between('a.ts', 'b', 'c')])]
  expect(turnOf(items, 7, 'call-1' as ToolCallId)).toBeNull()
  expect(turnOf(items, 7, 'call-2' as ToolCallId)).toHaveLength(2)
})

test('a file that changed between two steps is reported as changed outside the session', () => {
  const items = [
    call(1, [between('a.ts', 'a', 'b'), between('b.ts', 'a', 'b')]),
    call(2, [between('b.ts', 'b', 'c')]),
    call(3, [between('a.ts', 'x', 'c')]),
  ]
  const edits = [...outsideEdits(items)].map(([before, files]) => [before, files.map((one) => [one.shown, one.before, one.after])])
  expect(edits).toEqual([['call-3', [['a.ts', hash('b'), hash('x')]]]])
})

const edit = (step: number, before: string | null, ...files: readonly FileChange[]): SubagentEdit => ({
  step,
  agentType: 'code',
  before,
  files,
})
const starts = (step: number): CallItem => ({ ...call(step, []), toolName: 'task' })

test('a subagent’s changes between two steps do not count as made outside the session, but other changes do', () => {
  const items = [call(1, [between('a.ts', 'a', 'b')]), starts(2), call(3, [between('a.ts', 'd', 'e')])]
  const told = (...edits: readonly SubagentEdit[]) =>
    [...outsideEdits(items, edits)].map(([at, files]) => [at, files.map(({ before, after }) => [before, after])])
  expect(told(edit(2, 'call-3', between('a.ts', 'b', 'c')), edit(2, 'call-3', between('a.ts', 'c', 'd')))).toEqual([])
  expect(told(edit(2, 'call-3', between('a.ts', 'c', 'd')))).toEqual([['call-2', [[hash('b'), hash('c')]]]])
  expect(told(edit(2, 'call-3', between('a.ts', 'b', 'c')))).toEqual([['call-3', [[hash('c'), hash('d')]]]])
})

test('a subagent’s changed files belong to the step and the turn that started it', () => {
  const items = [user('u1'), call(1, [between('a.ts', 'a', 'b')]), starts(2)]
  const edits = [edit(2, null, between('a.ts', 'b', 'c')), edit(2, null, between('a.ts', 'c', 'd'))]
  const told = ({ shown, before, after, agents }: ReviewFile) => [shown, before, after, agents]
  expect(filesOfCall(starts(2), filesOfSubagents(edits)).map(told)).toEqual([['a.ts', hash('b'), hash('d'), ['code']]])
  expect(changedFilesOfEntries(items, edits).map(told)).toEqual([['a.ts', hash('a'), hash('d'), ['code']]])
})

test('a subagent’s changes are listed among the turn’s steps and undos in the order they were made', () => {
  const told = (later: Item, before: string) =>
    changedFilesOfEntries([user('u1'), starts(1), later], [edit(1, before, between('a.ts', 'a', 'b'))]).map((one) => [
      one.before,
      one.after,
      one.steps,
    ])
  expect(told(call(2, [between('a.ts', 'b', 'c')]), 'call-2')).toEqual([[hash('a'), hash('c'), [1, 2]]])
  const undo = { kind: 'rollback', rollbackId: 'r1', files: [between('a.ts', 'b', 'c')] } as unknown as Item
  expect(told(undo, 'r1')).toEqual([[hash('a'), hash('c'), [1]]])
  expect(told(call(2, [between('b.ts', 'a', 'b')]), 'call-9')).toEqual([
    [hash('a'), hash('b'), [1]],
    [hash('a'), hash('b'), [2]],
  ])
})

test.each<[string, Partial<ReviewFile>, string, boolean]>([
  ['a file of a step', {}, '/p/a.ts', false],
  ['a moved file', { movedFrom: { path: '/p/old.ts', shown: 'old.ts' } }, '/p/old.ts', false],
  ['a file compared with the disk', { isOnDisk: true }, '/p/a.ts', true],
  ['an unstaged file', { git: { side: 'unstaged' } as ReviewFile['git'] }, '/p/a.ts', true],
])('the lines of %s are traced at the path of each version, and on disk if it is only there', (_name, more, before, isOnDisk) => {
  expect(sidesOf({ ...file('a.ts'), ...more }, { base: hash('a'), after: hash('b') })).toEqual({
    before: { path: before, hash: hash('a') },
    after: { path: '/p/a.ts', hash: hash('b'), isOnDisk },
  })
})
