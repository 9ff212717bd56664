import { expect, test } from 'vitest'
import { reachedLimit } from '../../../../renderer/state/views/session-families.ts'
import type { SessionId, ToolCallId } from '../../../../shared/lib/ids.ts'
import { type Lease, NO_LEASE } from '../../../../shared/session/settings/budget-lease.ts'

const parentWith = (lease: Lease) => ({
  sessionId: 's' as SessionId,
  toolCallId: 'c' as ToolCallId,
  agentType: 'explore',
  depth: 1,
  readsOnly: true,
  lease,
})

test.each([
  ['its turns', { ...NO_LEASE, turns: 2, tokens: 40_000 }, 'reached its 2 turns'],
  ['its tokens', { ...NO_LEASE, turns: 5, tokens: 9_000 }, 'reached its 9k tokens'],
  ['its money', { ...NO_LEASE, costUsd: 0.15 }, 'reached its $0.15'],
  ['an unknown limit', { ...NO_LEASE, minutes: 5 }, 'reached its limit'],
])('a subagent that reached its limit says which one: %s', (_, lease, words) => {
  expect(reachedLimit({ parent: parentWith(lease), spent: { answers: 2, tokens: 9_100, costUsd: 0.2 } })).toBe(words)
})
