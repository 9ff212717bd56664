import type { SessionSummary } from '../../shared/api/sessions.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { tokensOf } from '../../shared/session/content.ts'
import type { ParentLink } from '../../shared/session/events.ts'
import type { Lease } from '../../shared/session/settings/budget-lease.ts'
import { isFinished } from '../../shared/session/fold/run-state.ts'
import { addSpent, NOTHING_SPENT, type Spent, spentOf, taken } from './subagent-budget.ts'
import type { Overspent } from '../agent/ports/budget.ts'
import type { SessionStore } from '../sessions/session-store.ts'

type Books = Pick<SessionStore, 'sessions' | 'ledger'>

type Kin = Pick<SessionSummary, 'sessionId' | 'parent'>

/** The user's session at the top of the family. For a user's session, this is the session itself. */
export function rootOf({ sessions }: Pick<Books, 'sessions'>, { sessionId, parent }: Kin): SessionId {
  const above = parent ? sessions.get(parent.sessionId) : null
  return above ? rootOf({ sessions }, above) : (parent?.sessionId ?? sessionId)
}

/** The amount spent by all subagents of a session and their subagents, in any process, including what running ones have reserved. */
export function spentByChildren(books: Books, parentId: SessionId): Spent {
  const { sessions, ledger } = books
  return sessions
    .subagentsOf(parentId)
    .map(({ sessionId, parent }) => {
      const state = ledger.snapshot(sessionId, 1)
      return state ? taken(parent.lease, addSpent(spentOf(state), spentByChildren(books, sessionId)), isFinished(state)) : NOTHING_SPENT
    })
    .reduce(addSpent, NOTHING_SPENT)
}

/** All subagents of a session and their subagents. */
export function descendantsOf({ sessions }: Pick<Books, 'sessions'>, parentId: SessionId): readonly SessionId[] {
  return sessions.subagentsOf(parentId).flatMap(({ sessionId }) => [sessionId, ...descendantsOf({ sessions }, sessionId)])
}

/** Whether the total cost of a user's session and all its subagents is known. */
export function sumIsKnown({ sessions, ledger }: Books, session: Kin): boolean {
  const root = rootOf({ sessions }, session)
  return [root, ...descendantsOf({ sessions }, root)].every((id) => {
    const state = ledger.snapshot(id, 1)
    return !state || state.costUsd !== null || tokensOf(state.usage) === 0
  })
}

/**
 * Returns the limit that the parent, or a session above it, has used up together with its subagents; null if there is none. Skips limits
 * that the subagent has itself.
 */
export function familyOverspent(store: Books, { sessionId, lease: own }: ParentLink, ofPerson: () => Lease): Overspent | null {
  const above = store.sessions.get(sessionId)?.parent ?? null
  const lease = above?.lease ?? ofPerson()
  const tokens = own.tokens === null ? lease.tokens : null
  const costUsd = own.costUsd === null ? lease.costUsd : null
  if (tokens !== null || costUsd !== null) {
    const parent = store.ledger.snapshot(sessionId, 1)
    const used = addSpent(parent ? spentOf(parent) : NOTHING_SPENT, spentByChildren(store, sessionId))
    if (tokens !== null && used.tokens >= tokens) return { reason: 'tokens', limit: tokens }
    if (costUsd !== null && used.costUsd >= costUsd) return { reason: 'cost', limit: costUsd }
  }
  // If the parent has no limit either, the limit of its own parent applies.
  return above && familyOverspent(store, above, ofPerson)
}
