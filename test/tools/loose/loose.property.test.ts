import { expect, it } from 'vitest'
import { outcomesOf } from './outcomes.ts'

/** The number of cases of each kind. `loose.long.test.ts` tries 10,000. */
const CASES = 400

it.each(['edit', 'patch'] as const)('a loosely matching %s of random nested text has the intended result or is refused (T1, T2)', (how) => {
  const { wrong, made } = outcomesOf(how, CASES, 1)
  expect(wrong).toEqual([])
  expect(made).toBeGreaterThan(CASES * 0.9)
})

/** Seeds with which a new line once got an indentation that the file does not have at that place. */
const ONCE_WRONG = [
  903_191, 2_007_112, 2_032_150, 2_044_247, 2_060_822, 20_027_034, 20_053_108, 40_040_410, 40_050_389, 60_011_416, 90_013_519, 110_011_724,
]

it.each(['edit', 'patch'] as const)('a loosely matching %s that was once applied wrongly is now applied correctly (T1)', (how) => {
  expect(ONCE_WRONG.flatMap((seed) => outcomesOf(how, 1, seed).wrong)).toEqual([])
})
