import { expect, test } from 'vitest'
import { isNestedDeeper, MAX_LEVELS } from '../../../shared/lib/json.ts'

const lists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

test('the maximum depth is accepted and one more level is not, for arrays, objects and a mix', () => {
  const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  expect([lists(MAX_LEVELS), lists(MAX_LEVELS + 1)].map((text) => isNestedDeeper(text))).toEqual([false, true])
  expect([objects(MAX_LEVELS), objects(MAX_LEVELS + 1)].map((text) => isNestedDeeper(text))).toEqual([false, true])
  expect([`{"a":${lists(2)}}`, `{"a":${lists(3)}}`].map((text) => isNestedDeeper(text, 3))).toEqual([false, true])
})

test('siblings and brackets inside a string do not add depth', () => {
  expect(isNestedDeeper(`[${Array(1_000).fill('[{}]').join(',')}]`, 3)).toBe(false)
  expect(isNestedDeeper(JSON.stringify({ text: `"${lists(500)}\\`, more: '[[[[\\' }), 1)).toBe(false)
  expect(isNestedDeeper(JSON.stringify(['\\\\"', [[1]]]), 2)).toBe(true)
})

test('a million levels exceed the limit, but a million brackets in a string do not', () => {
  expect([isNestedDeeper('['.repeat(1_000_000)), isNestedDeeper(`"${'['.repeat(1_000_000)}`)]).toEqual([true, false])
})
