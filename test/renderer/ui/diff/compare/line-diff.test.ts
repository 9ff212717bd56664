import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffLines, type LineChange } from '../../../../../renderer/ui/diff/compare/line-diff.ts'

const line = fc.constantFrom('a', 'b', 'c', 'd', '}', '')
const text = fc.array(line, { maxLength: 40 })

/** What `after` must be, made of `before` and the changes alone. */
function applied(before: readonly string[], after: readonly string[], changes: readonly LineChange[]): readonly string[] {
  const out: string[] = []
  let at = 0
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of changes) {
    out.push(...before.slice(at, beforeStart), ...after.slice(afterStart, afterEnd))
    at = beforeEnd
  }
  return [...out, ...before.slice(at)]
}

function changedLines(changes: readonly LineChange[]): number {
  return changes.reduce((sum, change) => sum + change.beforeEnd - change.beforeStart + change.afterEnd - change.afterStart, 0)
}

/** The textbook table, for texts small enough. */
function fewestChanges(a: readonly string[], b: readonly string[]): number {
  let above = Array.from({ length: b.length + 1 }, () => 0)
  for (const one of a) {
    const row = [0]
    b.forEach((other, at) => row.push(one === other ? (above[at] ?? 0) + 1 : Math.max(above[at + 1] ?? 0, row[at] ?? 0)))
    above = row
  }
  return a.length + b.length - 2 * (above[b.length] ?? 0)
}

test('the changes applied to the old lines give the new lines, in order and without overlap', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const changes = diffLines(before, after)
      expect(applied(before, after, changes)).toEqual(after)
      let end = -1
      for (const change of changes) {
        expect(change.beforeStart).toBeGreaterThan(end)
        end = change.beforeEnd
      }
    }),
    { numRuns: 3_000 },
  )
})

test('no diff with fewer changed lines exists', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(changedLines(diffLines(before, after))).toBe(fewestChanges(before, after))
    }),
    { numRuns: 3_000 },
  )
})

test('equal texts have no changes, and an empty side is one change', () => {
  expect(diffLines(['a', 'b'], ['a', 'b'])).toEqual([])
  expect(diffLines([], ['a', 'b'])).toEqual([{ beforeStart: 0, beforeEnd: 0, afterStart: 0, afterEnd: 2 }])
  expect(diffLines(['a'], [])).toEqual([{ beforeStart: 0, beforeEnd: 1, afterStart: 0, afterEnd: 0 }])
})

test('texts of 20 000 lines that share nothing, or are wildly reordered, end with a right answer', () => {
  const before = Array.from({ length: 20_000 }, (_, at) => `line ${at}`)
  const other = before.map((one) => `${one} indented`)
  expect(applied(before, other, diffLines(before, other))).toEqual(other)
  const reordered = before.map((_, at) => `line ${(at * 7_919) % 20_000}`)
  expect(applied(before, reordered, diffLines(before, reordered))).toEqual(reordered)
})
