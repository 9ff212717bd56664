import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { stagedLines, unstagedLines } from '../../main/review/git/stage-lines.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const text = (result: Uint8Array | null): string | null => result && Buffer.from(result).toString('latin1')

describe('hunks are staged line by line', () => {
  test.each([
    ['the first of two hunks', 'a\nb\nc\n', 'A\nb\nC\n', [{ before: [0, 1], after: [0, 1] }], 'A\nb\nc\n'],
    ['the second of two hunks', 'a\nb\nc\n', 'A\nb\nC\n', [{ before: [2, 3], after: [2, 3] }], 'a\nb\nC\n'],
    ['an insertion', 'a\nc\n', 'a\nb\nc\n', [{ before: [1, 1], after: [1, 2] }], 'a\nb\nc\n'],
    ['a deletion', 'a\nb\nc\n', 'a\nc\n', [{ before: [1, 2], after: [1, 1] }], 'a\nc\n'],
    ['a file that is not UTF-8', 'a\n\xff\n', 'b\n\xff\n', [{ before: [0, 1], after: [0, 1] }], 'b\n\xff\n'],
    ['a last line that gets a line feed', 'a\nb', 'a\nb\n', [{ before: [1, 2], after: [1, 2] }], 'a\nb\n'],
    ['a last line without a line feed', 'a\nb\n', 'a\nb', [{ before: [1, 2], after: [1, 2] }], 'a\nb'],
    ['a line added after a last line without a line feed', 'a', 'a\nb', [{ before: [1, 1], after: [1, 2] }], 'a\nb'],
  ] as const)('%s', (_, index, folder, hunks, expected) => {
    expect(text(stagedLines(bytes(index), bytes(folder), hunks))).toBe(expected)
  })

  test('staging all hunks gives the folder’s version, and unstaging them gives the old version', () => {
    const old = 'a\nb\nc\nd\n'
    const fresh = 'A\nb\nc2\nc3\nd'
    const hunks = [
      { before: [0, 1], after: [0, 1] },
      { before: [2, 4], after: [2, 5] },
    ] as const
    expect(text(stagedLines(bytes(old), bytes(fresh), hunks))).toBe(fresh)
    expect(text(unstagedLines(bytes(fresh), bytes(old), hunks))).toBe(old)
  })

  test('lines outside the file and overlapping hunks are refused', () => {
    expect(stagedLines(bytes('a\n'), bytes('b\n'), [{ before: [0, 2], after: [0, 1] }])).toBeNull()
    expect(stagedLines(bytes('a\n'), bytes('b\n'), [{ before: [0, 1], after: [0, 2] }])).toBeNull()
    const twice = { before: [0, 1], after: [0, 1] } as const
    expect(stagedLines(bytes('a\n'), bytes('b\n'), [twice, twice])).toBeNull()
  })
})
