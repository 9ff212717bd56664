import { expect, test } from 'vitest'
import {
  nextUndecided,
  resultPatch,
  sinceWords,
  stepsWords,
  subjectOf,
  summaryOf,
  whatHappens,
} from '../../../../renderer/features/changes/undo/undo-words.ts'
import { inGroups } from '../../../../renderer/features/changes/undo/undo-groups.tsx'
import type { FileChange } from '../../../../shared/session/file-change.ts'
import type { UndoPreview } from '../../../../shared/session/undo-preview.ts'

const change = (before: string | null, after: string | null, shown = 'a.txt'): { readonly change: FileChange } => ({
  change: { before, after, shown } as unknown as FileChange,
})
const preview = (files: readonly { readonly change: FileChange }[], more: Partial<UndoPreview> = {}): UndoPreview =>
  ({ files, conflicts: [], skipped: [], folders: [], uncovered: [], ...more }) as unknown as UndoPreview

test('the heading of an undo lists the changes to be undone, not what the undo will do', () => {
  expect(whatHappens(preview([change('new', null), change('new', null), change('b', 'a'), change(null, 'a')]))).toBe(
    '2 files created, 1 modified, 1 deleted',
  )
  const others = { conflicts: [change('b', 'a')], skipped: [{}] } as unknown as Partial<UndoPreview>
  expect(whatHappens(preview([], others))).toBe('1 file modified, 1 skipped')
  expect(whatHappens(preview([]))).toBe('')
})

test('the summary of an undo counts what it will do, each file once', () => {
  const merged = { ...change('a', 'b'), merged: true }
  const files = [change('a', 'b'), change('a', 'b'), change('a', null), merged]
  const others = {
    conflicts: [change('a', 'b')],
    skipped: ['/p/x', '/p/y', '/p/z'].map((path) => ({ path })),
    uncovered: [{}],
  } as unknown as Partial<UndoPreview>
  expect(summaryOf(preview(files, others), 1)).toEqual([
    '3 files restored',
    '1 file merges cleanly, later work is kept',
    '1 file deleted',
    '1 file with a conflict',
    '2 files skipped',
    'Some changes are not covered',
  ])
  const folders = ['/p/one', '/p/two'].map((path) => ({ path, before: 0o755, after: null }))
  const onlyFolders = { folders } as unknown as Partial<UndoPreview>
  expect([summaryOf(preview([], onlyFolders), 0), summaryOf(preview([]), 0)]).toEqual([['2 folders restored or deleted'], []])
  const keptFolder = { folders, skipped: [{ path: '/p/one/mine.txt' }] } as unknown as Partial<UndoPreview>
  expect(summaryOf(preview([], keptFolder), 0)).toEqual(['1 folder restored or deleted', '1 file skipped'])
})

test('the files of git count as one change of the repository', () => {
  const files = [change('a', 'b', '.git/index'), change('a', null, '.git/objects/07/1b'), change('a', 'b')]
  expect(whatHappens(preview(files))).toBe('1 file modified')
  expect(summaryOf(preview(files), 0)).toEqual(['1 file restored', 'The repository goes back too'])
  expect(inGroups(preview(files))).toHaveLength(1)
})

test('the headings of an undo name the step that it goes back to or undoes', () => {
  expect([subjectOf({ kind: 'to', step: 8 }), sinceWords({ kind: 'to', step: 8 })?.at]).toEqual(['Since step 8', 'after step 8'])
  expect([subjectOf({ kind: 'to', step: 0 }), sinceWords({ kind: 'to', step: 0 })?.at]).toEqual(['The whole session', 'before step 1'])
  expect([subjectOf({ kind: 'step', step: 8 }), sinceWords({ kind: 'step', step: 8 })]).toEqual(['Undo step 8', null])
  expect([stepsWords([4]), stepsWords([4, 5, 9])]).toEqual(['step 4', 'steps 4, 5 and 9'])
})

test('the result of resolving a conflict is shown as a diff against the current lines, with their line numbers', () => {
  const region = { now: { line: 18, lines: ['a', 'b', 'c'] }, before: { line: 15, lines: ['a', 'x', 'y', 'c'] } }
  expect(resultPatch(region, 'now')).toBeNull()
  expect(resultPatch(region, { text: 'a\nb\nc' })).toBeNull()
  expect(resultPatch(region, 'before')).toBe('@@ -18,3 +18,4 @@\n a\n-b\n+x\n+y\n c\n')
  expect(resultPatch(region, { text: 'a\nb\nown\nc' })).toBe('@@ -18,3 +18,4 @@\n a\n b\n+own\n c\n')
})

test.each([
  [[null, null, null], 1, 2],
  [[null, 'now', 'before'], 2, 0],
  [[null, 'now'], 0, null],
  [[null], 0, null],
] as const)('after a choice by key in the conflicts %j at %i, the next undecided conflict is %j', (choices, current, next) => {
  expect(nextUndecided(choices, current)).toBe(next)
})
