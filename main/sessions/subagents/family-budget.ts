import type { SessionSummary } from '../../../shared/api/sessions.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { tokensOf } from '../../../shared/session/content.ts'
import type { Lease, ParentLink } from '../../../shared/session/events.ts'
import { addSpent, NOTHING_SPENT, type Spent, spentOf, taken } from '../../agent/subagents/lease.ts'
import type { Overspent } from '../../agent/ports/budget.ts'
import type { SessionStore } from '../session-store.ts'
import { isAtRest } from './report.ts'

type Books = Pick<SessionStore, 'sessions' | 'ledger'>

/** By the subagents of a session all together, those of earlier processes too, what those at work have reserved included. */
export function spentByChildren({ sessions, ledger }: Books, parentId: SessionId): Spent {
  return sessions
    .list()
    .map(({ sessionId, parent }) => {
      const state = parent?.sessionId === parentId ? ledger.snapshot(sessionId, 1) : null
      return state && parent ? taken(parent.lease, spentOf(state), isAtRest(state)) : NOTHING_SPENT
    })
    .reduce(addSpent, NOTHING_SPENT)
}

/** Whether it is known what a session, its subagents and its parent have cost. */
export function sumIsKnown({ sessions, ledger }: Books, { sessionId, parent }: Pick<SessionSummary, 'sessionId' | 'parent'>): boolean {
  const family = sessions
    .list()
    .filter((one) => [sessionId, parent?.sessionId].some((id) => id === one.sessionId || id === one.parent?.sessionId))
  return family.every(({ sessionId: id }) => {
    const state = ledger.snapshot(id, 1)
    return !state || state.costUsd !== null || tokensOf(state.usage) === 0
  })
}

/** What the parent of a subagent and all that descends from it have used up of the parent's lease, where the subagent has none of its own. */
export function familyOverspent(store: Books, { sessionId, lease: own }: ParentLink, ofPerson: () => Lease): Overspent | null {
  const lease = store.sessions.get(sessionId)?.parent?.lease ?? ofPerson()
  const tokens = own.tokens === null ? lease.tokens : null
  const costUsd = own.costUsd === null ? lease.costUsd : null
  if (tokens === null && costUsd === null) return null
  const parent = store.ledger.snapshot(sessionId, 1)
  const used = addSpent(parent ? spentOf(parent) : NOTHING_SPENT, spentByChildren(store, sessionId))
  if (tokens !== null && used.tokens >= tokens) return { reason: 'tokens', limit: tokens }
  return costUsd !== null && used.costUsd >= costUsd ? { reason: 'cost', limit: costUsd } : null
}
