import { expect, test } from 'vitest'
import { arranged, withoutContext } from '../../../../renderer/features/tray/review/many/same-changes.ts'
import { NOTHING_DECIDED } from '../../../../renderer/state/stores/review-decisions.ts'
import { type ReviewedFile, reviewed, withHunks } from '../../../../renderer/features/tray/review/reviewed-files.ts'
import { computeDiff } from '../../../../renderer/ui/diff/compare/compute-diff.ts'

const file = (shown: string, before: string | null, after: string): ReviewedFile => {
  const sides = {
    before: before === null ? null : ({ kind: 'text', text: before } as const),
    after: { kind: 'text', text: after } as const,
  }
  const [one] = reviewed([{ path: `/ws/${shown}`, shown, ...sides }], [])
  if (!one) throw new Error('The file has no review.')
  return withHunks(one, computeDiff({ path: shown, before, after, language: 'text' }).hunks)
}
const four = (make: (n: number) => ReviewedFile): readonly ReviewedFile[] => [1, 2, 3, 4].map(make)
const folded = (files: readonly ReviewedFile[]) => {
  const { same, others } = arranged(files, NOTHING_DECIDED)
  return [same.map(({ folders }) => folders.map(({ name, files: own }) => [name, own.length])), others.map(({ shown }) => shown)]
}

test.each([
  ['a line added on top', (n: number) => file(`a/${n}`, `${n}\n`, `MIT\n${n}\n`), true],
  ['a line added at the end', (n: number) => file(`a/${n}`, `${n}\n`.repeat(n), `${`${n}\n`.repeat(n)}end\n`), true],
  ['a line added below the same line', (n: number) => file(`a/${n}`, `${n}\nhead\n${n}\n`, `${n}\nhead\nnew\n${n}\n`), true],
  [
    'a line added at the end of some files, and above a last line without a line break in others',
    (n: number) => (n < 4 ? file(`a/${n}`, `${n}\n`, `${n}\nexec x\n`) : file(`a/${n}`, `${n}\nexit 1`, `${n}\nexec x\nexit 1`)),
    false,
  ],
  [
    'a line added at the end of some files, and above blank lines in others',
    (n: number) => (n < 4 ? file(`a/${n}`, `${n}\n`, `${n}\nexec x\n`) : file(`a/${n}`, `${n}\n\n\n`, `${n}\nexec x\n\n\n`)),
    false,
  ],
  ['a line added below different lines', (n: number) => file(`a/${n}`, `${n}\nend\n`, `${n}\nnew\nend\n`), false],
  [
    'the same line replaced in different places',
    (n: number) => file(`a/${n}`, `${'x\n'.repeat(n)}old\ny\n`, `${'x\n'.repeat(n)}new\ny\n`),
    true,
  ],
  ['different lines replaced', (n: number) => file(`a/${n}`, `${n}\n`, 'new\n'), false],
  ['the same new file', (n: number) => file(`a/${n}`, null, 'new\n'), true],
  ['a line break at the end of some files', (n: number) => file(`a/${n}`, 'old\n', n % 2 ? 'new' : 'new\n'), false],
  ['spaces at the end of a line', (n: number) => file(`a/${n}`, 'old\n', `new${' '.repeat(n)}\n`), false],
])('%s: folded only if the exact lines and their place are the same', (_, make, isSame) => {
  expect(folded(four(make))).toEqual(isSame ? [[[['a/', 4]]], []] : [[], ['a/1', 'a/2', 'a/3', 'a/4']])
})

test('a new file is not the same as a changed one, and an executable file is shown alone', () => {
  const changed = four((n) => file(`a/${n}`, '', 'new\n'))
  const added = { ...file('a/5', null, 'new\n') }
  const executable = { ...file('a/6', '', 'new\n'), words: 'It can be run as a program (permissions 755).' }
  expect(folded([...changed, added, executable])).toEqual([[[['a/', 4]]], ['a/5', 'a/6']])
})

test('folded files are grouped by the first folder in which they differ, and are decided as a whole', () => {
  const paths = ['lib/a/1', 'lib/a/x/2', 'lib/b/3', 'lib/4']
  const files = paths.map((path) => file(path, '', 'new\n'))
  expect(folded(files)).toEqual([
    [
      [
        ['lib/', 1],
        ['lib/a/', 2],
        ['lib/b/', 1],
      ],
    ],
    [],
  ])
  const [same] = arranged(files, NOTHING_DECIDED).same
  expect(same?.folders.flatMap((folder) => folder.files.flatMap(({ pieces }) => pieces.map(({ kind }) => kind)))).toEqual(
    paths.map(() => 'whole'),
  )
})

test('fewer than four equal changes are shown one by one', () => {
  expect(folded(four((n) => file(`a/${n}`, '', 'new\n')).slice(1))).toEqual([[], ['a/2', 'a/3', 'a/4']])
})

test('the lines of a folded change are shown without those around them', () => {
  const [hunk] = computeDiff({ path: 'a', before: '1\n2\n3\n4\n', after: '1\n2\nnew\n4\n', language: 'text' }).hunks
  expect(hunk && withoutContext(hunk)).toBe('@@ -3,1 +3,1 @@\n-3\n+new\n')
})

test('a file of which a hunk was refused is not folded, so that the refusal counts', () => {
  const files = four((n) => file(`a/${n}`, 'old\n', 'new\n'))
  const key = files[0]?.pieces[0]?.key ?? ''
  const { same, others } = arranged(files, { ...NOTHING_DECIDED, refused: new Set([key]) })
  expect([same, others.length]).toEqual([[], 4])
})
