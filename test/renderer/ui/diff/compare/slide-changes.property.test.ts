import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffLines } from '../../../../../shared/lib/lines/line-diff.ts'
import { slideChanges } from '../../../../../renderer/ui/diff/compare/slide-changes.ts'
import { randomRuns } from '../../../../random-runs.ts'

/** Returns the added lines as the reader sees them. */
function comingLines(before: string, after: string): readonly string[] {
  const a = before.split('\n')
  const b = after.split('\n')
  return slideChanges(diffLines(a, b, 1_000), a, b).flatMap(({ afterStart, afterEnd }) => b.slice(afterStart, afterEnd))
}

test('a new function is shown as one addition, with the empty line below it', () => {
  const before = 'function a() {\n  x()\n}\n\nfunction c() {\n  z()\n}'
  const after = 'function a() {\n  x()\n}\n\nfunction b() {\n  y()\n}\n\nfunction c() {\n  z()\n}'
  expect(comingLines(before, after)).toEqual(['function b() {', '  y()', '}', ''])
})

test('an added copy of a block is shown as a complete block, not as parts of two blocks', () => {
  const before = 'on {\n  if (a) {\n    b()\n  }\n}'
  const after = 'on {\n  if (a) {\n    b()\n  }\n  if (a) {\n    c()\n  }\n}'
  expect(comingLines(before, after)).toEqual(['  if (a) {', '    c()', '  }'])
})

test('moving a hunk’s boundaries never changes the result of the diff', () => {
  const text = fc.array(fc.constantFrom('a', '  b', '', '}'), { maxLength: 30 })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const out: string[] = []
      let at = 0
      for (const { beforeStart, beforeEnd, afterStart, afterEnd } of slideChanges(diffLines(before, after, 1_000), before, after)) {
        expect(beforeStart).toBeGreaterThanOrEqual(at)
        out.push(...before.slice(at, beforeStart), ...after.slice(afterStart, afterEnd))
        at = beforeEnd
      }
      expect([...out, ...before.slice(at)]).toEqual(after)
    }),
    { numRuns: randomRuns(3_000) },
  )
})
