import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exactPathPieces, exactPieces, foreignPieces, withCodes } from '../../../shared/lib/hidden-characters.ts'

const codes = (text: string): readonly string[] => exactPieces(text).flatMap((piece) => (piece.kind === 'hidden' ? [piece.code] : []))

test('visible text is unchanged: letters of any script, emoji, space, tab and line feed', () => {
  const text = 'rm -rf dist\n\techo "día Größe 日本 مرحبا 🙂" && ls ~/x'
  expect(exactPieces(text)).toEqual([{ kind: 'text', text }])
})

test('a bidi override is shown as its code point (C11)', () => {
  expect(exactPieces('rm \u202Etxt.exe')).toEqual([
    { kind: 'text', text: 'rm ' },
    { kind: 'hidden', code: 'U+202E' },
    { kind: 'text', text: 'txt.exe' },
  ])
})

test.each([
  ['a carriage return', '\r', 'U+000D'],
  ['an escape', '\u001b', 'U+001B'],
  ['a no-break space', '\u00a0', 'U+00A0'],
  ['a zero-width space', '\u200b', 'U+200B'],
  ['a soft hyphen', '\u00ad', 'U+00AD'],
  ['a byte order mark', '\ufeff', 'U+FEFF'],
  ['a Hangul filler', '\u3164', 'U+3164'],
  ['a line separator', '\u2028', 'U+2028'],
  ['a variation selector', '\ufe0f', 'U+FE0F'],
  ['a tag character', '\u{e0041}', 'U+E0041'],
  ['a supplementary variation selector', '\u{e0100}', 'U+E0100'],
  ['a braille blank', '\u2800', 'U+2800'],
  ['a private character', '\ue000', 'U+E000'],
  ['a broken surrogate', '\ud800', 'U+D800'],
])('%s is shown by name', (_, character, code) => {
  expect(codes(`a${character}b`)).toEqual([code])
})

test('the joined pieces are the complete text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const whole = exactPieces(text)
        .map((piece) => (piece.kind === 'text' ? piece.text : String.fromCodePoint(Number.parseInt(piece.code.slice(2), 16))))
        .join('')
      return whole === text
    }),
  )
})

test('an empty text has no pieces', () => {
  expect(exactPieces('')).toEqual([])
})

describe('untrusted text that is shown but not signed', () => {
  test('keeps what people write: emoji with their joiners, unusual spaces, scripts with joiners, line endings', () => {
    const text = 'ok ⚠️ 👩‍👩‍👧 🏳️‍🌈 1️⃣\u00a0%\r\n\tمی‌خواهم क्‍ष'
    expect(foreignPieces(text)).toEqual([{ kind: 'text', text }])
    expect(withCodes(text)).toBe(text)
  })

  test.each([
    ['a bidi override', '\u202e', 'U+202E'],
    ['a bidi isolate', '\u2066', 'U+2066'],
    ['a right-to-left mark', '\u200f', 'U+200F'],
    ['a zero-width space', '\u200b', 'U+200B'],
    ['a joiner between Latin letters', '\u200d', 'U+200D'],
    ['a tag character', '\u{e0041}', 'U+E0041'],
    ['a Hangul filler', '\u3164', 'U+3164'],
    ['an escape', '\u001b', 'U+001B'],
    ['a line separator', '\u2028', 'U+2028'],
    ['a variation selector after a letter', '\ufe0f', 'U+FE0F'],
  ])('shows the name of %s instead of it', (_, hidden, code) => {
    expect(foreignPieces(`a${hidden}b`)).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'hidden', code },
      { kind: 'text', text: 'b' },
    ])
    expect(withCodes(`a${hidden}b`)).toBe(`a${code}b`)
  })
})

test('a line end or a tab in a path is named, like every other invisible character', () => {
  expect(exactPathPieces('a b\n\tc\u202E')).toEqual([
    { kind: 'text', text: 'a b' },
    { kind: 'hidden', code: 'U+000A' },
    { kind: 'hidden', code: 'U+0009' },
    { kind: 'text', text: 'c' },
    { kind: 'hidden', code: 'U+202E' },
  ])
})
