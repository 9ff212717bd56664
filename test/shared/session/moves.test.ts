import { expect, test } from 'vitest'
import type { FileChange } from '../../../shared/session/file-change.ts'
import { emptySession, foldAll } from '../../../shared/session/fold/fold.ts'
import { changedFiles } from '../../../shared/session/fold/changed-files.ts'
import { begun, blobHash, callId, ended, SESSION, stamped, started } from '../../agent/support/events.ts'

const FACTS = { beforeBytes: 1, afterBytes: 1, beforeMode: null, afterMode: null, lines: null }
const path = (shown: string) => ({ path: `/code/${shown}`, shown })
const bytes = (text: string | null) => (text === null ? null : blobHash(text))
const change = (shown: string, before: string | null, after: string | null): FileChange => {
  return { ...path(shown), before: bytes(before), after: bytes(after), ...FACTS }
}
const moved = (from: string, to: string, before: string, after = before): readonly FileChange[] => [
  change(from, before, null),
  { ...change(to, null, after), movedFrom: path(from) },
]

/** Returns the changed files of a session in which each step made these changes. */
function changedBy(...steps: readonly (readonly FileChange[])[]) {
  const events = steps.flatMap((files, at) => {
    const id = `c${at}`
    return [begun(id, 'apply_patch'), { kind: 'FILES_CHANGED', toolCallId: callId(id), files } as const, ended(id)]
  })
  return changedFiles(foldAll(emptySession(SESSION), stamped([started(), ...events])).items)
}

test('a file that is moved twice is one changed file at its last path', () => {
  expect(changedBy([change('a', '1', '2')], moved('a', 'b', '2', '3'), moved('b', 'c', '3'))).toEqual([
    { ...path('c'), before: blobHash('1'), after: blobHash('3'), steps: [1, 2, 3], madeBy: [], movedFrom: path('a') },
  ])
})

test('a moved file and a new file at its old path are two changed files', () => {
  expect(changedBy(moved('a', 'b', '1'), [change('a', null, '5')])).toEqual([
    { ...path('a'), before: blobHash('1'), after: blobHash('5'), steps: [1, 2], madeBy: [] },
    { ...path('b'), before: null, after: blobHash('1'), steps: [1], madeBy: [] },
  ])
})

test('a new file is not a move, even if a moved file was removed from the same path', () => {
  expect(changedBy(moved('a', 'b', '1'), [change('b', '1', null)], [change('b', null, '5')])).toEqual([
    { ...path('a'), before: blobHash('1'), after: null, steps: [1], madeBy: [] },
    { ...path('b'), before: null, after: blobHash('5'), steps: [1, 2, 3], madeBy: [] },
  ])
})

test('a move followed by a move back is no change, and a move followed by a removal is a removal', () => {
  expect(changedBy(moved('a', 'b', '1'), moved('b', 'a', '1'))).toEqual([])
  expect(changedBy(moved('a', 'b', '1'), [change('b', '1', null)])).toEqual([
    { ...path('a'), before: blobHash('1'), after: null, steps: [1], madeBy: [] },
  ])
})
