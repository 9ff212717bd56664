import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countChangedLines } from '../../main/changes/count-changed-lines.ts'

const count = (before: string | null, after: string | null) =>
  countChangedLines(before === null ? null : Buffer.from(before), after === null ? null : Buffer.from(after))

/**
 * Returns the counts by comparing every line with every other. git's diff is sometimes not the shortest, so its counts cannot be used
 * instead.
 */
function exactCounts(before: string, after: string): { added: number; removed: number } {
  const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/gu) ?? []
  const old = linesOf(before)
  const now = linesOf(after)
  let common = Array.from({ length: now.length + 1 }, () => 0)
  for (const line of old) {
    const next = [0]
    for (const [at, other] of now.entries())
      next.push(line === other ? (common[at] ?? 0) + 1 : Math.max(common[at + 1] ?? 0, next[at] ?? 0))
    common = next
  }
  const kept = common.at(-1) ?? 0
  return { added: now.length - kept, removed: old.length - kept }
}

/** Returns the length of the longest increasing subsequence, computed by patience sorting. */
function longestRising(numbers: readonly number[]): number {
  const tops: number[] = []
  for (const number of numbers) {
    const pile = tops.findIndex((top) => top >= number)
    tops[pile < 0 ? tops.length : pile] = number
  }
  return tops.length
}

describe('the number of lines that differ', () => {
  it.each([
    ['no change', 'a\nb\n', 'a\nb\n', 0, 0],
    ['a changed line', 'a\nb\nc\n', 'a\nB\nc\n', 1, 1],
    ['lines added in the middle', 'a\nd\n', 'a\nb\nc\nd\n', 2, 0],
    ['lines removed at the end', 'a\nb\nc\n', 'a\n', 0, 2],
    ['a created file', null, 'a\nb\n', 2, 0],
    ['a file created without a final newline', null, 'a\nb', 2, 0],
    ['a removed file', 'a\nb\n', null, 0, 2],
    ['a created empty file', null, '', 0, 0],
    ['an added final newline and nothing else', 'a\nb', 'a\nb\n', 1, 1],
    ['changed line endings and nothing else', 'a\r\nb\r\n', 'a\nb\n', 2, 2],
    ['a moved line', 'a\nb\nc\n', 'b\nc\na\n', 1, 1],
    ['different lines that end with the same characters', 'xa\n', 'ya\n', 1, 1],
    ['a repeated line', 'a\n', 'a\na\n', 1, 0],
  ])('%s', (_, before, after, added, removed) => {
    expect(count(before, after)).toEqual({ added, removed })
  })

  it('is null if one of the two files is not text', () => {
    expect(count('a\n', 'a\0\n')).toBeNull()
    expect(count('a\0', null)).toBeNull()
  })

  it('is correct for UTF-16 text with a byte order mark', () => {
    const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')
    expect(countChangedLines(utf16('a\nb Ċ\n'), utf16('a\nc Ċ\nd\n'))).toEqual({ added: 2, removed: 1 })
    expect(countChangedLines(utf16('a\n').swap16(), utf16('b\n').swap16())).toEqual({ added: 1, removed: 1 })
  })

  it('is the smallest possible one for random files', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', 'd', '', 'longer line'), { maxLength: 30 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''))
    fc.assert(
      fc.property(text, text, fc.boolean(), (before, after, isWhole) => {
        const last = isWhole ? after : after.slice(0, -1)
        expect(count(before, last)).toEqual(exactCounts(before, last))
      }),
      { numRuns: 300 },
    )
  })

  it('is exact if no line occurs twice, however many lines were moved', () => {
    const lines = (prefix: string, total: number): string => Array.from({ length: total }, (_, index) => `${prefix}${index}\n`).join('')
    expect(count(lines('a', 10_000), lines('b', 10_000))).toEqual({ added: 10_000, removed: 10_000 })
    const order = Array.from({ length: 10_000 }, (_, index) => (index * 7919) % 10_000)
    const moved = order.length - longestRising(order)
    expect(count(lines('a', 10_000), order.map((line) => `a${line}\n`).join(''))).toEqual({ added: moved, removed: moved })
  })

  it.each([1, 1_000, 1_900])('is exact if %i lines are inserted among 10,000 repeated ones', (inserted) => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `r${index % 10}\n`)
    const more = Array.from({ length: inserted }, (_, index) => `r${(index * 7) % 10}\n`)
    expect(count(lines.join(''), [...lines.slice(0, 3_000), ...more, ...lines.slice(3_000)].join(''))).toEqual({
      added: inserted,
      removed: 0,
    })
  })

  it('is null if an exact count would take too long, and never a guess', () => {
    const mixed = (factor: number): string =>
      Array.from({ length: 10_000 }, (_, index) => `r${(index * index * factor + index) % 97}\n`).join('')
    const many = (prefix: string): string => Array.from({ length: 10_001 }, (_, index) => `${prefix}${index}\n`).join('')
    expect(count(mixed(31), mixed(17))).toBeNull()
    expect(count(many('a'), many('b'))).toBeNull()
    expect(count(null, 'x\n'.repeat(5 * 1024 * 1024))).toBeNull()
  })

  it('is exact for a small change in a file of 50 MB', () => {
    const big = 'a line of some length, again and again\n'.repeat(1_300_000)
    expect(count(`${big}x\n${big}`, `${big}y\nz\n${big}`)).toEqual({ added: 2, removed: 1 })
  })
})
