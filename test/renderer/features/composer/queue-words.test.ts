import { expect, test } from 'vitest'
import { queueWords } from '../../../../renderer/features/composer/queue-words.ts'

test.each([
  ['steer', false, 'reaches the agent after this round'],
  ['queue', false, 'comes after this turn'],
  ['steer', true, 'held by the stop, goes with your next message'],
  ['queue', true, 'held by the stop, goes after your next turn'],
] as const)('a message given as %s, held: %s, says that it %s', (delivery, held, words) => {
  expect(queueWords({ delivery, held })).toBe(words)
})
