import { expect, test } from 'vitest'
import { byHunks, reviewed, withHunks, withoutOldEditing } from '../../../../renderer/features/tray/review/reviewed-files.ts'
import { amendmentsOf, kept, NOTHING_DECIDED, postponed, refused } from '../../../../renderer/state/stores/review-decisions.ts'
import { computeDiff } from '../../../../renderer/ui/diff/compare/compute-diff.ts'
import type { BlobHash } from '../../../../shared/lib/ids.ts'
import type { Effect } from '../../../../shared/session/effects.ts'

const BEFORE = 'one\n'
const place = { path: '/ws/a', shown: 'a', outside: false, control: false }

/** The file of a request that writes `after`. */
function fileWith(after: string) {
  const sizes = { beforeBytes: BEFORE.length, afterBytes: after.length, lines: null }
  const write: Effect = { kind: 'write', ...place, before: 'old' as BlobHash, after: `hash of ${after.trim()}` as BlobHash, ...sizes }
  const sides = { before: { kind: 'text', text: BEFORE }, after: { kind: 'text', text: after } } as const
  const [file] = reviewed([{ path: '/ws/a', shown: 'a', ...sides }], [write])
  if (!file) throw new Error('The file has no review.')
  return withHunks(file, computeDiff({ path: 'a', before: BEFORE, after, language: 'text' }).hunks)
}
const piecesOf = (after: string) => fileWith(after).pieces

test('a refused hunk stays refused for the same change, and does not refuse a hunk of a changed request', () => {
  const first = piecesOf('two\n')
  const decided = refused(
    NOTHING_DECIDED,
    first.map(({ key }) => key),
  )
  expect(amendmentsOf(piecesOf('two\n'), decided)).toHaveLength(1)
  expect(amendmentsOf(piecesOf('three\n'), decided)).toEqual([])
})

test('editing a hunk ends when its change is replaced, so that the hunks of the new change can be edited', () => {
  const editing = piecesOf('two\n')[0]?.key ?? ''
  const decided = { ...NOTHING_DECIDED, editing }
  expect(withoutOldEditing(decided, [fileWith('two\n')]).editing).toBe(editing)
  expect(withoutOldEditing(decided, [fileWith('three\n')]).editing).toBeNull()
})

test('a hunk and a whole file that wait are sent as undecided, and keeping or refusing them decides them', () => {
  const [hunk] = piecesOf('two\n')
  if (!hunk) throw new Error('The file has no hunk.')
  const whole = { kind: 'whole', key: '/ws/gone', path: '/ws/gone' } as const
  const keys = [hunk.key, whole.key]
  const later = postponed(NOTHING_DECIDED, keys)
  expect(amendmentsOf([hunk, whole], later)).toEqual([
    { kind: 'hunks', path: '/ws/a', hunks: [{ before: [0, 1], after: [0, 1], decision: { kind: 'later' } }] },
    { kind: 'leave', path: '/ws/gone', later: true },
  ])
  expect(amendmentsOf([hunk, whole], kept(later, keys))).toEqual([])
  expect(amendmentsOf([whole], refused(later, keys))).toEqual([{ kind: 'leave', path: '/ws/gone' }])
})

test.each([
  ['refused', refused, 'reject'],
  ['left for later', postponed, 'later'],
] as const)(
  'a file that was %s in the folded list is so where its hunks are decided one by one, and each can be kept',
  (_, decide, kind) => {
    const file = fileWith('two\n')
    const decided = byHunks(decide(NOTHING_DECIDED, [file.path]), [file])
    expect(amendmentsOf(file.pieces, decided)).toMatchObject([{ kind: 'hunks', hunks: [{ decision: { kind } }] }])
    const keys = file.pieces.map(({ key }) => key)
    expect(byHunks(kept(decided, keys), [file])).toEqual(NOTHING_DECIDED)
  },
)
