import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffLines, type LineChange, lineDiffPasses } from '../../../../shared/lib/lines/line-diff.ts'
import { randomRuns } from '../../../random-runs.ts'

const line = fc.constantFrom('a', 'b', 'c', 'd', '}', '')
const text = fc.array(line, { maxLength: 40 })

/** Returns `before` with the changes applied. */
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

/** Returns the smallest number of changes, computed with the textbook table. The texts must be small. */
function fewestChanges(a: readonly string[], b: readonly string[]): number {
  let above = Array.from({ length: b.length + 1 }, () => 0)
  for (const one of a) {
    const row = [0]
    b.forEach((other, at) => row.push(one === other ? (above[at] ?? 0) + 1 : Math.max(above[at + 1] ?? 0, row[at] ?? 0)))
    above = row
  }
  return a.length + b.length - 2 * (above[b.length] ?? 0)
}

test('applying the changes to the old lines gives the new lines, and the changes are in order and do not overlap', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const changes = diffLines(before, after, 1_000)
      expect(applied(before, after, changes)).toEqual(after)
      let end = -1
      for (const change of changes) {
        expect(change.beforeStart).toBeGreaterThan(end)
        end = change.beforeEnd
      }
    }),
    { numRuns: randomRuns(3_000) },
  )
})

test('no diff with fewer changed lines exists', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(changedLines(diffLines(before, after, 1_000))).toBe(fewestChanges(before, after))
    }),
    { numRuns: randomRuns(3_000) },
  )
})

test('equal texts have no changes, and if one of the texts is empty, there is exactly one change', () => {
  expect(diffLines(['a', 'b'], ['a', 'b'], 10)).toEqual([])
  expect(diffLines([], ['a', 'b'], 10)).toEqual([{ beforeStart: 0, beforeEnd: 0, afterStart: 0, afterEnd: 2 }])
  expect(diffLines(['a'], [], 10)).toEqual([{ beforeStart: 0, beforeEnd: 1, afterStart: 0, afterEnd: 0 }])
})

test('a diff that exceeds its limit of edits is still correct and in order', () => {
  fc.assert(
    fc.property(text, text, fc.nat(6), (before, after, maxEdits) => {
      expect(applied(before, after, diffLines(before, after, maxEdits))).toEqual(after)
    }),
    { numRuns: randomRuns(3_000) },
  )
})

const numbered = Array.from({ length: 20_000 }, (_, at) => `line ${at}`)

test('a diff that exceeds its limit of edits still treats the lines around the changes as unchanged', () => {
  const after = numbered.flatMap((line, at) => (at % 10 === 0 ? ['}', line] : [line]))
  const before = numbered.flatMap((line, at) => (at % 10 === 5 ? ['}', line] : [line]))
  expect(changedLines(diffLines(before, after, 100))).toBe(4_000)
})

test('a diff above its limit of edits is done in many passes', () => {
  const after = numbered.flatMap((line, at) => (at % 10 === 0 ? ['}', line] : [line]))
  expect([...lineDiffPasses(numbered, after.toReversed(), 100)].length).toBeGreaterThanOrEqual(3)
  expect([...lineDiffPasses([...numbered, '}', '}'], [...numbered.flatMap((line) => ['}', line]), 'end'], 100)].length).toBeGreaterThan(20)
})

test.each([
  ['have no line in common', numbered.map((line) => `${line} indented`)],
  ['are wildly reordered', numbered.map((_, at) => `line ${(at * 7_919) % 20_000}`)],
])('texts of 20,000 lines that %s are compared correctly', (_, other) => {
  expect(applied(numbered, other, diffLines(numbered, other, 500))).toEqual(other)
})
