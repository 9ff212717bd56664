import { expect, it } from 'vitest'
import { outcomesOf } from './outcomes.ts'

/** Cases of each kind; `loose.long.test.ts` tries 10,000. */
const CASES = 400

it.each(['edit', 'patch'] as const)('a loose %s of a random nested text comes out as meant, or is refused (T1, T2)', (how) => {
  const { wrong, made } = outcomesOf(how, CASES, 1)
  expect(wrong).toEqual([])
  expect(made).toBeGreaterThan(CASES * 0.6)
})
