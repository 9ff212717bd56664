import { expect, test } from 'vitest'
import { assumedCacheWords, priceOfNext } from '../../../../renderer/state/views/context-and-price.ts'

const price = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }

test('if prices are known, the price of the next request is a range from “all tokens cached” to “no tokens cached”', () => {
  expect(priceOfNext(100_000, { price })).toEqual({ least: 0.05, most: 0.625 })
  expect(priceOfNext(100_000, { price: null })).toBeNull()
  expect(priceOfNext(100_000, null)).toBeNull()
  expect(priceOfNext(0, { price })).toBeNull()
})

test('a request that exceeds the limit for the normal price has the long-prompt price', () => {
  const longPrompt = { above: 100_000, price: { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 } }
  expect(priceOfNext(100_000, { price, longPrompt })).toEqual({ least: 0.05, most: 0.625 })
  expect(priceOfNext(200_000, { price, longPrompt })).toEqual({ least: 0.2, most: 2.5 })
})

test('assumed cache prices are marked as assumed', () => {
  expect(assumedCacheWords({ label: 'GPT-6 Astra', price: { ...price, assumedCache: true } })).toBe(
    ' The cache prices of GPT-6 Astra are assumed.',
  )
  expect([
    assumedCacheWords({ label: 'GPT-6 Sol', price }),
    assumedCacheWords({ label: 'x', price: null }),
    assumedCacheWords(null),
  ]).toEqual(['', '', ''])
})
