import { describe, expect, test } from 'vitest'
import { createBudget, granted, NOTHING_SPENT, taken } from '../../main/subagents/subagent-budget.ts'
import { NO_USAGE } from '../../shared/session/content.ts'
import { NO_LEASE } from '../../shared/session/settings/budget-lease.ts'
import { manualClock } from '../support/manual-clock.ts'

describe('a subagent’s budget', () => {
  test('is the requested amount, but never more than the parent has left', () => {
    const own = { ...NO_LEASE, tokens: 1000, minutes: 10 }
    expect(granted({ ...NO_LEASE, tokens: 300, turns: 4 }, own, NOTHING_SPENT)).toEqual({
      tokens: 300,
      costUsd: null,
      minutes: 10,
      turns: 4,
    })
    expect(granted({ ...NO_LEASE, costUsd: 1 }, own, NOTHING_SPENT)).toEqual({ tokens: null, costUsd: 1, minutes: 10, turns: null })
    expect(granted({ ...NO_LEASE, tokens: 900, costUsd: 2 }, own, { tokens: 400, costUsd: 1 })).toEqual({
      tokens: 600,
      costUsd: 2,
      minutes: 10,
      turns: null,
    })
    expect(granted(NO_LEASE, own, { tokens: 1000, costUsd: 0 })).toBe(null)
    expect(granted(NO_LEASE, NO_LEASE, { tokens: 1e9, costUsd: 1e3 })).toEqual(NO_LEASE)
  })

  test('is reserved completely while the subagent runs, and the rest is returned', () => {
    const lease = { ...NO_LEASE, tokens: 500 }
    expect(taken(lease, { tokens: 120, costUsd: 0.5 }, false)).toEqual({ tokens: 500, costUsd: 0.5 })
    expect(taken(lease, { tokens: 120, costUsd: 0.5 }, true)).toEqual({ tokens: 120, costUsd: 0.5 })
  })

  test('limits tokens, money and time, including what its own subagents spend', () => {
    const clock = manualClock(60_000)
    const others = { tokens: 100, costUsd: 0.2 }
    const over = (lease: object) =>
      createBudget({ lease: () => ({ ...NO_LEASE, ...lease }), startedAt: 0, spentByOthers: () => others, clock }).overspent({
        usage: { ...NO_USAGE, input: 50, output: 50 },
        costUsd: 0.3,
      })
    expect(over({})).toBe(null)
    expect([over({ tokens: 201 }), over({ tokens: 200 })]).toEqual([null, { reason: 'tokens', limit: 200 }])
    expect([over({ costUsd: 0.51 }), over({ costUsd: 0.5 })]).toEqual([null, { reason: 'cost', limit: 0.5 }])
    expect([over({ minutes: 1.1 }), over({ minutes: 1 })]).toEqual([null, { reason: 'time', limit: 1 }])
  })

  test('counts elapsed minutes even if the clock is changed (fault 52)', async () => {
    const clock = manualClock()
    const lease = () => ({ ...NO_LEASE, minutes: 10 })
    const budget = createBudget({ lease, startedAt: clock.now(), spentByOthers: () => NOTHING_SPENT, clock })
    const spent = { usage: NO_USAGE, costUsd: 0 }
    clock.set(clock.now() + 24 * 3_600_000)
    expect(budget.overspent(spent)).toBe(null)
    clock.set(clock.now() - 48 * 3_600_000)
    await clock.advance(9 * 60_000)
    expect(budget.overspent(spent)).toBe(null)
    await clock.advance(60_000)
    expect(budget.overspent(spent)).toEqual({ reason: 'time', limit: 10 })
  })
})
