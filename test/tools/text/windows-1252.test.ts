import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { decodeText, encodeText, textFormOf } from '../../../main/tools/text/encoding.ts'
import { rewriteInOldEncoding } from '../../../main/tools/text/rewrite-in-old-encoding.ts'

const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const bytes = (...all: readonly number[]): Uint8Array => Uint8Array.from(all)

test.each([
  ['French', latin('// d\u00e9j\u00e0 vu, cr\u00e9\u00e9e \u00e0 No\u00ebl\n')],
  ['German', latin('Gr\u00f6\u00dfe f\u00fcr \u00c4pfel\n')],
  ['Spanish with signs', latin('\u00bfQu\u00e9 a\u00f1o? 5\u00b0, \u00a9 2001\n')],
  ['typographic signs', Buffer.concat([bytes(0x93), latin('caf\u00e9'), bytes(0x94, 0x20, 0x80, 0x0a)])],
])('%s text is recognized as Windows-1252, and each of its bytes is written back', (_, text) => {
  expect(textFormOf(text)).toEqual({ encoding: 'windows-1252', bom: 0 })
  expect(Buffer.from(encodeText(decodeText(text, 'windows-1252'), 'windows-1252') ?? [])).toEqual(Buffer.from(text))
})

test.each([
  ['Shift-JIS', bytes(0x61, 0x82, 0xa0, 0x82, 0xa2, 0x83, 0x41, 0x0a)],
  ['EUC-JP', bytes(0x61, 0xa4, 0xa2, 0xa4, 0xa4, 0x0a)],
  ['GBK', bytes(0x61, 0xd6, 0xd0, 0x62, 0xce, 0xc4, 0x0a)],
  ['Big5', bytes(0x61, 0xa4, 0xa4, 0xa4, 0xe5, 0x0a)],
  ['EUC-KR', bytes(0x61, 0xc7, 0xd1, 0xb1, 0xdb, 0x0a)],
  ['Cyrillic', bytes(0x61, 0xef, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x0a)],
  ['a letter that no word surrounds', bytes(0x31, 0xe9, 0x32)],
])('%s stays unknown', (_, text) => {
  expect(textFormOf(text)).toEqual({ encoding: 'unknown', bom: 0 })
})

test('new letters are written in Windows-1252, and a character that it lacks is refused', () => {
  const old = latin('caf\u00e9\n')
  expect(rewriteInOldEncoding(old, 'caf\u00e9 \u00fcber 5 \u20ac\n')).toEqual({
    bytes: Buffer.concat([latin('caf\u00e9 \u00fcber 5 '), bytes(0x80, 0x0a)]),
    note: null,
  })
  expect(encodeText('\u4e2d', 'windows-1252')).toBeNull()
  expect(encodeText('\u010d', 'windows-1252')).toBeNull()
})
