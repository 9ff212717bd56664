import { expect, test } from 'vitest'
import { partsOf, pathsIn, placeOf } from '../../../../renderer/ui/text/file-names.ts'

test.each([
  ['src/money.js', { path: 'src/money.js', line: null }],
  ['src/money.js:12', { path: 'src/money.js', line: 12 }],
  ['src/money.js:12:5', { path: 'src/money.js', line: 12 }],
  ['src/money.js:12-20', { path: 'src/money.js', line: 12 }],
  ['src/money.js#L12-L20', { path: 'src/money.js', line: 12 }],
  ['money.js', { path: 'money.js', line: null }],
  ['Makefile:3', { path: 'Makefile', line: 3 }],
  ['C:\\work\\a.ts:7', { path: 'C:\\work\\a.ts', line: 7 }],
  ['src/', null],
  ['money', null],
  ['https://example.com/a.js', null],
  ['node src/money.js', null],
])('%s is read as the name of a file and its line', (word, place) => {
  expect(placeOf(word)).toEqual(place)
})

test('the parts of a text are the text, with punctuation outside the names', () => {
  const text = 'See src/money.js:12. It (lib/vat.ts, “a/b.md”) is wrong: why is 3.5 here?'
  const parts = partsOf(text)
  expect(parts.map((part) => part.text).join('')).toBe(text)
  expect(parts.flatMap(({ text: word, place }) => (place ? [word] : []))).toEqual(['src/money.js:12', 'lib/vat.ts', 'a/b.md'])
})

test('the paths of an answer are found in words, code spans and links, each once', () => {
  expect(pathsIn('`src/money.js:12`, [tests](test/money.test.js#L3) and src/money.js:40')).toEqual(['src/money.js', 'test/money.test.js'])
})

test('a long hostile text is split in time in proportion to its length', () => {
  const begin = performance.now()
  for (const unit of ['a', '.', '/', ':1', 'a.', '\u201d', ' a', ',', '!a'])
    expect(
      partsOf(unit.repeat(50_000))
        .map(({ text }) => text)
        .join(''),
    ).toHaveLength(unit.length * 50_000)
  expect(performance.now() - begin).toBeLessThan(10_000)
})
