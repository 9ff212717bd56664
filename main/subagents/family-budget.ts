import type { SessionSummary } from '../../shared/api/sessions.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { tokensOf } from '../../shared/session/content.ts'
import type { Lease, ParentLink } from '../../shared/session/events.ts'
import { isFinished } from '../../shared/session/fold/run-state.ts'
import { addSpent, NOTHING_SPENT, type Spent, spentOf, taken } from './lease.ts'
import type { Overspent } from '../agent/ports/budget.ts'
import type { SessionStore } from '../sessions/session-store.ts'

type Books = Pick<SessionStore, 'sessions' | 'ledger'>

type Kin = Pick<SessionSummary, 'sessionId' | 'parent'>

/** The person's session from which one descends; of a person's own itself. */
export function rootOf({ sessions }: Pick<Books, 'sessions'>, { sessionId, parent }: Kin): SessionId {
  const above = parent ? sessions.get(parent.sessionId) : null
  return above ? rootOf({ sessions }, above) : (parent?.sessionId ?? sessionId)
}

/** By the subagents of a session all together, theirs included, those of earlier processes too, what those at work have reserved included. */
export function spentByChildren(books: Books, parentId: SessionId): Spent {
  const { sessions, ledger } = books
  return sessions
    .list()
    .map(({ sessionId, parent }) => {
      const state = parent?.sessionId === parentId ? ledger.snapshot(sessionId, 1) : null
      return state && parent
        ? taken(parent.lease, addSpent(spentOf(state), spentByChildren(books, sessionId)), isFinished(state))
        : NOTHING_SPENT
    })
    .reduce(addSpent, NOTHING_SPENT)
}

/** Whether it is known what a person's session and all that descends from it have cost. */
export function sumIsKnown({ sessions, ledger }: Books, session: Kin): boolean {
  const root = rootOf({ sessions }, session)
  const family = sessions.list().filter((one) => rootOf({ sessions }, one) === root)
  return family.every(({ sessionId: id }) => {
    const state = ledger.snapshot(id, 1)
    return !state || state.costUsd !== null || tokensOf(state.usage) === 0
  })
}

/** What the parent of a subagent and all that descends from it have used up of the parent's lease, where the subagent has none of its own. */
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
  // Where the parent has no lease either, it is its own parent's that counts.
  return above && familyOverspent(store, above, ofPerson)
}
