import { expect, test } from 'vitest'
import {
  kept,
  amendmentsOf,
  discarded,
  NOTHING_DECIDED,
  type Piece,
  postponed,
  refused,
  shiftsOf,
  signedCount,
  withChoice,
  withVersion,
} from '../../../../renderer/state/stores/review-decisions.ts'

const hunk = (path: string, at: number) =>
  ({ kind: 'hunk', key: `${path}${at}`, path, before: [at, at + 1], after: [at, at + 1], text: 'new\n' }) as const
const FIRST = hunk('/a', 1)
const PIECES: readonly Piece[] = [FIRST, hunk('/a', 9), hunk('/b', 1), { kind: 'whole', key: '/c', path: '/c' }]

test('without decisions everything is kept, and only the signature is sent', () => {
  expect([signedCount(PIECES, NOTHING_DECIDED), amendmentsOf(PIECES, NOTHING_DECIDED)]).toEqual([4, []])
})

test('only files with a refused or edited hunk are sent, each with all its hunks in order', () => {
  const decided = refused(withVersion(refused(NOTHING_DECIDED, ['/a9']), FIRST, 'mine\n'), ['/c'])
  expect(signedCount(PIECES, decided)).toBe(2)
  expect(amendmentsOf(PIECES, decided)).toEqual([
    {
      kind: 'hunks',
      path: '/a',
      hunks: [
        { before: [1, 2], after: [1, 2], decision: { kind: 'edit', text: 'mine\n' } },
        { before: [9, 10], after: [9, 10], decision: { kind: 'reject' } },
      ],
    },
    { kind: 'leave', path: '/c' },
  ])
})

test('refusing or editing a hunk shifts the later hunks of its file by the difference in its number of lines', () => {
  const grows = { ...hunk('/a', 1), after: [1, 4] as const }
  const hunks = [grows, hunk('/a', 9), hunk('/a', 20)]
  expect(shiftsOf(hunks, NOTHING_DECIDED)).toEqual([0, 0, 0])
  expect(shiftsOf(hunks, refused(NOTHING_DECIDED, [grows.key]))).toEqual([0, -2, -2])
  const longer = withVersion(NOTHING_DECIDED, grows, 'a\nb\nc\nd')
  expect(shiftsOf(hunks, withVersion(longer, hunk('/a', 9), ''))).toEqual([0, 1, 0])
  expect(shiftsOf(hunks, refused(longer, [grows.key]))).toEqual([0, -2, -2])
})

test.each([
  ['without its last line feed, it does not join the next line', 'new\n', 'mine', 'mine\n'],
  ['without its last line feed, in place of removed lines', '', 'a\nb', 'a\nb\n'],
  ['at the end of a file without a last line feed', 'new', 'mine', 'mine'],
  ['that is empty removes the lines', 'new\n', '', ''],
  ['of lines that end in CR LF', 'one\r\ntwo\r\n', 'a\nb', 'a\r\nb\r\n'],
  ['of lines that end differently', 'one\r\ntwo\n', 'a\nb\n', 'a\nb\n'],
])('an edited hunk %s', (_, proposed, typed, signed) => {
  const decided = withVersion(NOTHING_DECIDED, { ...FIRST, text: proposed }, typed)
  expect(decided.edits.get(FIRST.key)).toBe(signed)
})

test.each([
  ['an edit that equals the proposed text', withVersion(NOTHING_DECIDED, FIRST, 'new\n')],
  ['an edit that differs only in the last line feed', withVersion(NOTHING_DECIDED, FIRST, 'new')],
  ['a discarded edit', discarded(withVersion(NOTHING_DECIDED, FIRST, 'mine\n'), FIRST.key)],
  ['an undone rejection', kept(refused(NOTHING_DECIDED, [FIRST.key]), [FIRST.key])],
])('%s is not a change', (_, decided) => {
  expect(amendmentsOf(PIECES, decided)).toEqual([])
})

test('a hunk that is edited and then refused has its edited text again once it is kept', () => {
  const decided = refused(withVersion(NOTHING_DECIDED, FIRST, 'mine\n'), [FIRST.key])
  const decisionOf = (now: typeof decided) =>
    amendmentsOf([FIRST], now).flatMap((one) => (one.kind === 'hunks' ? one.hunks.map(({ decision }) => decision) : []))
  expect(decisionOf(decided)).toEqual([{ kind: 'reject' }])
  expect(decisionOf(kept(decided, [FIRST.key]))).toEqual([{ kind: 'edit', text: 'mine\n' }])
})

test.each([
  ['refused', refused, {}],
  ['left for later', postponed, { later: true }],
])('with a part that is %s, everything that is decided together with it is too', (_, decide, more) => {
  const git: Piece = { kind: 'whole', key: '.git/HEAD', path: '.git/HEAD', others: ['.git/index', '.git/refs/heads/main'] }
  const paths = ['.git/HEAD', '.git/index', '.git/refs/heads/main']
  expect(amendmentsOf([git, FIRST], decide(NOTHING_DECIDED, [git.key]))).toEqual(paths.map((path) => ({ kind: 'leave', path, ...more })))
})

test('for a file with conflicts, only the choices made by the user are sent', () => {
  const path = 'c.ts'
  const file: Piece = { kind: 'whole', key: path, path }
  const one = withChoice(NOTHING_DECIDED, { path, of: 2 }, 1, 'before')
  expect(one.choices.get(path)).toEqual([null, 'before'])
  const both = withChoice(one, { path, of: 2 }, 0, { text: 'mine' })
  expect(amendmentsOf([file], both)).toEqual([{ kind: 'conflicts', path, choices: [{ text: 'mine' }, 'before'] }])
})
