import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { detectedEncoding } from '../../shared/encodings/detect-encoding.ts'
import { decodeOldText, encodeOldText, isKeptByEncoding, OLD_ENCODINGS } from '../../shared/encodings/old-encoding.ts'
import { longText, OLD_TEXTS } from './old-encodings.ts'

describe.each(OLD_TEXTS)('%s', (encoding, base64, text) => {
  test('is detected, read correctly, and written again with the same bytes', () => {
    const bytes = Buffer.from(base64, 'base64')
    expect(detectedEncoding(bytes)).toBe(encoding)
    expect(decodeOldText(bytes, encoding)).toBe(text)
    expect(Buffer.from(encodeOldText(text, encoding) ?? [])).toEqual(bytes)
  })

  test.each([
    ['in lines', '\n'],
    ['in a single line', ' '],
  ])('is detected in a text of 500 KB %s after much ASCII', (_, separator) => {
    expect(detectedEncoding(longText(base64, separator))).toBe(encoding)
  })
})

test.each(OLD_ENCODINGS)('every character that %s can write is read again as the same character', (encoding) => {
  const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
    (character) => character.isWellFormed() && encodeOldText(character, encoding) !== null,
  )
  const text = all.join('')
  expect(all.length).toBeGreaterThanOrEqual(160)
  const bytes = encodeOldText(text, encoding) ?? new Uint8Array(0)
  expect(decodeOldText(bytes, encoding)).toBe(text)
  expect(isKeptByEncoding(bytes, text, encoding)).toBe(true)
})

test('random bytes are in no encoding', () => {
  let seed = 7
  const next = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) >> 16
  for (let round = 0; round < 200; round++)
    expect(detectedEncoding(Uint8Array.from({ length: 200 }, () => 0x20 + (next() % 0xdf)))).toBeNull()
})
