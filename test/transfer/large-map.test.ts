import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LargeMap } from '../../main/transfer/import/large-map.ts'

const step = fc.record({
  does: fc.constantFrom('set', 'delete'),
  key: fc.oneof(fc.constantFrom('', 'a', '__proto__', 'constructor', 'u-1', 'u-2'), fc.string(), fc.uuid()),
  value: fc.integer(),
})

test('a large map answers like a plain map', () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const large = new LargeMap<string, number>()
      const plain = new Map<string, number>()
      for (const { does, key, value } of steps) {
        for (const map of [large, plain]) {
          if (does === 'set') map.set(key, value)
          else map.delete(key)
        }
      }
      for (const { key } of steps) expect([large.has(key), large.get(key)]).toEqual([plain.has(key), plain.get(key)])
    }),
  )
})

test.each([
  ['numbers', (n: number) => n],
  ['ids that count', (n: number) => `toolu_${n}`],
  ['ids that differ only near their end', (n: number) => `${String(n).padStart(9, '0')}-0`],
])('%s are spread over the parts', (_, key) => {
  const large = new LargeMap<string | number, number>()
  for (let n = 0; n < 100_000; n++) large.set(key(n), n)
  expect(large.largestPart()).toBeLessThan(2_000)
})
