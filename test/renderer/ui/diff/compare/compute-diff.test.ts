import { expect, test } from 'vitest'
import { computeDiff, recoloured } from '../../../../../renderer/ui/diff/compare/compute-diff.ts'

const numbered = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('')

test('a changed line is shown in one hunk with three lines of context and correct line numbers', () => {
  const before = numbered(20)
  const { fileDiff, added, removed, hunks } = computeDiff({
    path: 'a.txt',
    before,
    after: before.replace('line 10\n', 'line ten\n'),
    language: 'text',
  })
  expect({ added, removed, hunks }).toEqual({
    added: 1,
    removed: 1,
    hunks: [
      {
        first: { side: 'deletions', line: 10 },
        last: { side: 'additions', line: 10 },
        before: [9, 10],
        after: [9, 10],
        added: 1,
        removed: 1,
        name: null,
        text: 'line ten\n',
        key: expect.any(String) as string,
        patch: '@@ -7,7 +7,7 @@\n line 7\n line 8\n line 9\n-line 10\n+line ten\n line 11\n line 12\n line 13\n',
      },
    ],
  })
  expect(
    fileDiff.hunks.map(({ deletionStart, deletionCount, additionStart, additionCount, collapsedBefore }) => ({
      deletionStart,
      deletionCount,
      additionStart,
      additionCount,
      collapsedBefore,
    })),
  ).toEqual([{ deletionStart: 7, deletionCount: 7, additionStart: 7, additionCount: 7, collapsedBefore: 6 }])
})

test('each run of changed lines is a hunk of its own, and the unchanged lines between two are shown once, above the later one', () => {
  const before = numbered(40)
  const after = before.replace('line 10\n', 'x\n').replace('line 12\n', 'y\n').replace('line 30\n', '')
  const { hunks, fileDiff } = computeDiff({ path: 'a', before, after, language: 'text' })
  expect(hunks.map(({ first, last, patch }) => ({ first, last, patch }))).toEqual([
    {
      first: { side: 'deletions', line: 10 },
      last: { side: 'additions', line: 10 },
      patch: '@@ -7,4 +7,4 @@\n line 7\n line 8\n line 9\n-line 10\n+x\n',
    },
    {
      first: { side: 'deletions', line: 12 },
      last: { side: 'additions', line: 12 },
      patch: '@@ -11,5 +11,5 @@\n line 11\n-line 12\n+y\n line 13\n line 14\n line 15\n',
    },
    {
      first: { side: 'deletions', line: 30 },
      last: { side: 'deletions', line: 30 },
      patch: '@@ -27,7 +27,6 @@\n line 27\n line 28\n line 29\n-line 30\n line 31\n line 32\n line 33\n',
    },
  ])
  expect(fileDiff.hunks).toHaveLength(2)
})

test('a new file has only additions, and a deleted file only deletions', () => {
  const created = computeDiff({ path: 'a.ts', before: null, after: 'one\ntwo\n', language: 'typescript' })
  expect([created.fileDiff.type, created.added, created.removed]).toEqual(['new', 2, 0])
  const gone = computeDiff({ path: 'a.ts', before: 'one\ntwo\n', after: null, language: 'typescript' })
  expect([gone.fileDiff.type, gone.added, gone.removed, gone.hunks.map(({ first, last }) => ({ first, last }))]).toEqual([
    'deleted',
    0,
    2,
    [{ first: { side: 'deletions', line: 1 }, last: { side: 'deletions', line: 2 } }],
  ])
})

test('adding or removing a final newline is marked as a change of the last line', () => {
  const { fileDiff, added, removed } = computeDiff({ path: 'a', before: 'one\ntwo', after: 'one\ntwo\n', language: 'text' })
  expect([added, removed]).toEqual([1, 1])
  expect(fileDiff.hunks.map(({ noEOFCRDeletions, noEOFCRAdditions }) => [noEOFCRDeletions, noEOFCRAdditions])).toEqual([[true, false]])
})

test('both texts are kept completely, so that unchanged lines can be unfolded', () => {
  const before = numbered(50)
  const { fileDiff } = computeDiff({ path: 'a', before, after: `${before}more\n`, language: 'text' })
  expect(fileDiff.isPartial).toBe(false)
  expect(fileDiff.deletionLines.join('')).toBe(before)
  expect(fileDiff.additionLines.join('')).toBe(`${before}more\n`)
})

test('lines that look like parts of a patch are ordinary lines', () => {
  const before = '--- a\n+++ b\n@@ -1 +1 @@\n-- x\n'
  const after = '--- a\n+++ c\n@@ -1 +1 @@\n++ x\n\\ No newline at end of file\n'
  const { fileDiff, added, removed } = computeDiff({ path: 'a.diff', before, after, language: 'text' })
  expect([added, removed]).toEqual([3, 2])
  expect(fileDiff.additionLines.join('')).toBe(after)
})

test('only equal contents have equal cache keys', () => {
  const key = (after: string): string | undefined => computeDiff({ path: 'a', before: 'x\n', after, language: 'text' }).fileDiff.cacheKey
  expect(key('y\n')).toBe(key('y\n'))
  expect(key('y\n')).not.toBe(key('z\n'))
})

test('a file with an extremely long line is shown without colors', () => {
  const language = (after: string): string | undefined =>
    computeDiff({ path: 'a.json', before: '{}\n', after, language: 'json' }).fileDiff.lang
  expect(language('{"a":1}\n')).toBe('json')
  expect(language(`["${'x'.repeat(20_000)}"]\n`)).toBe('text')
})

test('each hunk is named after the function that it changes, adds or removes', () => {
  const before = 'function total(a) {\n  return a\n}\n\nfunction cents(a) {\n  return round(a)\n}\n\nexport const gone = 1\n'
  const after =
    'function total(a) {\n  return +a\n}\n\n// VAT\nfunction vat(a) {\n  return 0.2 * a\n}\n\nfunction cents(a) {\n  return floor(a)\n}\n\n'
  expect(computeDiff({ path: 'a.js', before, after, language: 'text' }).hunks.map(({ name }) => name)).toEqual([
    'total',
    'vat',
    'cents',
    'gone',
  ])
})

test('a second hunk in the same function is named with its line', () => {
  const before = `function cents() {\n${numbered(12)}}\n`
  const after = before.replace('line 2\n', 'two\n').replace('line 9\n', 'nine\n')
  expect(computeDiff({ path: 'a.js', before, after, language: 'text' }).hunks.map(({ name }) => name)).toEqual(['cents', 'cents, line 10'])
})

test('a diff can be recolored for another language, and long lines stay without colors', () => {
  const made = (path: string, language: string, line: string) => computeDiff({ path, language, before: 'a\n', after: line })
  const asked = { path: 'a.ts', language: 'typescript' }
  for (const line of ['b\n', `${'x'.repeat(20_001)}\n`])
    expect(recoloured(made('other', 'text', line), asked)).toEqual(made('a.ts', 'typescript', line))
})
