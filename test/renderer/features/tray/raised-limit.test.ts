import { expect, test } from 'vitest'
import { raisedLimit } from '../../../../renderer/features/tray/raised-limit.ts'

const NOTHING = { budgetTokens: 0, budgetUsd: 0, turnBudgetTokens: 0, turnBudgetUsd: 0, maxRounds: 50 }
const SPENT = { usage: { input: 90_000, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }, costUsd: 0.05 }

test.each([
  ['tokens', 20_000, { budgetTokens: 20_000 }, { change: { budgetTokens: 160_000 }, words: '160,000 tokens' }],
  ['cost', 0.05, { budgetUsd: 0.05 }, { change: { budgetUsd: 0.1 }, words: '$0.10' }],
  ['turn_tokens', 20_000, { turnBudgetTokens: 20_000 }, { change: { turnBudgetTokens: 40_000 }, words: '40,000 tokens' }],
  ['turn_cost', 1, { turnBudgetUsd: 1 }, { change: { turnBudgetUsd: 2 }, words: '$2.00' }],
  ['max_tool_rounds', 50, {}, { change: { maxRounds: 100 }, words: '100 rounds' }],
  ['time', 5, {}, null],
  ['max_turns', 5, {}, null],
] as const)('the limit %s of %d is raised beyond what was spent', (reason, limit, set, raised) => {
  expect(raisedLimit({ reason, limit }, { ...NOTHING, ...set }, SPENT)).toEqual(raised)
})

test('no larger limit is offered if the limit is not the one in the settings', () => {
  expect(raisedLimit({ reason: 'tokens', limit: 20_000 }, { ...NOTHING, budgetTokens: 50_000 }, SPENT)).toBe(null)
})
