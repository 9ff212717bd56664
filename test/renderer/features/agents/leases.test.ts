import { expect, test } from 'vitest'
import { columnsOf, leftOf, sharesOf } from '../../../../renderer/features/agents/budget-cell.tsx'
import { NO_LEASE } from '../../../../shared/session/settings/budget-lease.ts'

test('a subagent’s budget counts used tokens, answers, dollars and milliseconds against the limits that are set', () => {
  const lease = { tokens: 40_000, costUsd: null, minutes: 6, turns: 12 }
  expect(sharesOf(lease, { tokens: 19_000, costUsd: 0.06, answers: 5 }, 139_000)).toEqual({
    tokens: { used: 19_000, limit: 40_000 },
    turns: { used: 5, limit: 12 },
    money: { used: 0.06, limit: null },
    time: { used: 139_000, limit: 360_000 },
  })
  expect(leftOf(5, 12)).toBe(7)
  expect(leftOf(41_000, 40_000)).toBe(0)
})

test('money and time are shown only if they are limited', () => {
  expect(columnsOf([NO_LEASE])).toEqual(['tokens', 'turns'])
  expect(columnsOf([NO_LEASE, { ...NO_LEASE, minutes: 6 }])).toEqual(['tokens', 'turns', 'time'])
  expect(columnsOf([{ ...NO_LEASE, costUsd: 0.15 }])).toEqual(['tokens', 'turns', 'money'])
})
