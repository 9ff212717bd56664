import { expect, test } from 'vitest'
import { queueWords } from '../../../../renderer/features/composer/queue-list.tsx'

test.each([
  ['steer', false, 'reaches the agent after this round'],
  ['queue', false, 'comes after this turn'],
  ['steer', true, 'not sent because you stopped: it will be sent with your next message'],
  ['queue', true, 'not sent because you stopped: it will be sent after your next turn'],
] as const)('a message sent as %s, held: %s, says that it %s', (delivery, held, words) => {
  expect(queueWords({ delivery, held })).toBe(words)
})
