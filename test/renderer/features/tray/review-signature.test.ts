import { expect, it } from 'vitest'
import { laterIn, refusalOf, whyNotSignable } from '../../../../renderer/features/tray/review/review-signature.ts'
import type { ReviewedFile } from '../../../../renderer/features/tray/review/reviewed-files.ts'
import type { Review } from '../../../../renderer/features/tray/review/use-request-review.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { NOTHING_DECIDED, type Piece, postponed, refused } from '../../../../renderer/state/stores/review-decisions.ts'

const FIRST: Piece = { kind: 'hunk', key: '/ws/a\n0', path: '/ws/a', before: [0, 1], after: [0, 1], text: 'new\n' }
const file = (more: Partial<ReviewedFile>): ReviewedFile => ({
  path: '/ws/a',
  shown: 'a',
  file: null,
  version: '',
  words: null,
  texts: { before: 'old\n', after: 'new\n' },
  hunks: null,
  conflicts: [],
  pieces: [],
  ...more,
})
const review = (files: readonly ReviewedFile[], decided = NOTHING_DECIDED): Review => ({
  sessionId: 'ses_one' as SessionId,
  sidesOf: (path) => ({ before: { path, hash: null }, after: { proposes: '' } }),
  files,
  git: null,
  list: null,
  rows: [],
  notShown: 0,
  showMore: () => {},
  pieces: files.flatMap(({ pieces }) => pieces),
  decided,
  current: undefined,
  hasKeys: true,
  change: () => {},
  found: () => {},
  from: 'subagent',
  canWait: true,
})

it('a request cannot be signed until the hunks of a file are loaded, because decisions about them would be lost', () => {
  expect(whyNotSignable(review([file({})], refused(NOTHING_DECIDED, [FIRST.key])))).toBe('You can sign once the whole diff is on screen.')
  expect(whyNotSignable(review([file({ hunks: [], pieces: [FIRST] })]))).toBe(null)
})

it('a change without hunks, such as a deletion, can be signed immediately', () => {
  expect(whyNotSignable(review([file({ texts: null, pieces: [{ kind: 'whole', key: '/ws/a', path: '/ws/a' }] })]))).toBe(null)
})

it('a request of which everything is decided later cannot be signed, but a refusal of the rest can', () => {
  const second = { ...FIRST, key: 'second' }
  const files = [file({ hunks: [], pieces: [FIRST, second] })]
  const both = [FIRST.key, second.key]
  expect(whyNotSignable(review(files, postponed(NOTHING_DECIDED, both)))).toMatch(/^Keep or refuse at least one part, or close/u)
  expect(whyNotSignable(review(files, refused(postponed(NOTHING_DECIDED, both), [second.key])))).toBe(null)
  expect(whyNotSignable(review(files, refused(NOTHING_DECIDED, both)))).toMatch(/^Nothing is left to sign/u)
})

it('a refusal keeps what the user decides later, and is impossible if that is everything', () => {
  const gone: Piece = { kind: 'whole', key: '/ws/gone', path: '/ws/gone' }
  const files = [file({ hunks: [], pieces: [FIRST] }), file({ path: '/ws/gone', texts: null, pieces: [gone] })]
  const refusal = (...later: readonly string[]) => {
    const decided = review(files, postponed(NOTHING_DECIDED, later))
    const kept = laterIn(decided, true)
    return [kept, refusalOf(decided, kept, 'Why')]
  }
  const hunk = { before: [0, 1], after: [0, 1], decision: { kind: 'reject' } }
  expect(refusal()).toEqual(['none', { kind: 'refuse', note: 'Why' }])
  expect(refusal(gone.key)).toEqual([
    'some',
    {
      kind: 'refuse',
      note: 'Why',
      later: [
        { kind: 'hunks', path: '/ws/a', hunks: [hunk] },
        { kind: 'leave', path: '/ws/gone', later: true },
      ],
    },
  ])
  expect(refusal(FIRST.key, gone.key)).toEqual(['all', null])
})

it('a refusal waits for the texts and hunks of a file if the user decides something later, and otherwise does not', () => {
  const refusal = (of: Review | null, isAwaited: boolean) => refusalOf(of, laterIn(of, isAwaited), null)
  expect(refusal(review([file({})], postponed(NOTHING_DECIDED, [FIRST.key])), true)).toBe(null)
  expect(refusal(null, true)).toBe(null)
  expect(refusal(null, false)).toEqual({ kind: 'refuse', note: null })
  expect(refusal(review([file({})]), false)).toEqual({ kind: 'refuse', note: null })
})
