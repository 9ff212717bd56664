import fc from 'fast-check'
import { expect, test } from 'vitest'
import { naturalOrder } from '../../../shared/lib/natural-order.ts'

test.each([
  [
    ['104', '111', '13'],
    ['13', '104', '111'],
  ],
  [
    ['step-104.md', 'step-13.md', 'step-9.md'],
    ['step-9.md', 'step-13.md', 'step-104.md'],
  ],
  [
    ['a10b2', 'a10b10', 'a2b10'],
    ['a2b10', 'a10b2', 'a10b10'],
  ],
  [
    ['v1.10.0', 'v1.9.3', 'v1.9'],
    ['v1.9', 'v1.9.3', 'v1.10.0'],
  ],
  [
    ['src/b.ts', 'src/a.ts', 'lib/z.ts'],
    ['lib/z.ts', 'src/a.ts', 'src/b.ts'],
  ],
  [
    ['x01', 'x1', 'x001'],
    ['x001', 'x01', 'x1'],
  ],
  [
    ['99999999999999999999999', '100000000000000000000000'],
    ['99999999999999999999999', '100000000000000000000000'],
  ],
])('%j is ordered as %j', (names, ordered) => {
  expect(names.toSorted(naturalOrder)).toEqual(ordered)
})

test('the order is total: antisymmetric, transitive, and only equal strings compare as equal', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '0', '1', '2', '9'), maxLength: 8 })
  fc.assert(
    fc.property(name, name, name, (a, b, c) => {
      expect(Math.sign(naturalOrder(a, b))).toBe(-Math.sign(naturalOrder(b, a)) + 0)
      expect(naturalOrder(a, b) === 0).toBe(a === b)
      if (naturalOrder(a, b) < 0 && naturalOrder(b, c) < 0) expect(naturalOrder(a, c)).toBeLessThan(0)
    }),
    { numRuns: 2_000 },
  )
})
