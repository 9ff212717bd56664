import { expect, it } from 'vitest'
import { outcomesOf } from './outcomes.ts'

const CASES = 10_000

it.each(['edit', 'patch'] as const)('10,000 loosely matching changes (%s) of random nested texts give no wrong result (T1, T2)', (how) => {
  const { wrong, made, refused } = outcomesOf(how, CASES, 100_000)
  process.stdout.write(`loose ${how}: ${made} made as meant, ${refused} refused, ${wrong.length} wrong\n`)
  expect(wrong).toEqual([])
})
