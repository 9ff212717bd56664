import type { SessionId } from '../../shared/lib/ids.ts'
import { tokensOf } from '../../shared/session/content.ts'
import type { Envelope } from '../../shared/session/events.ts'
import type { TurnLease } from '../../shared/session/settings/budget-lease.ts'
import type { Overspent } from '../agent/ports/budget.ts'
import { addSpent, type Spent } from './subagent-budget.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import { descendantsOf } from './family-budget.ts'

export interface TurnBudgetParts {
  readonly store: Pick<SessionStore, 'sessions' | 'eventsAfter'>
  /** The user's session. Each of its turns includes the work of all its subagents. */
  readonly sessionId: SessionId
  lease(): TurnLease
}

/**
 * Checks one turn's spending limit, which covers the requests of its subagents too. A turn begins with the user's message, and begins again
 * when the user resumes after a limit. The amounts are read only from the logs, so that a restart changes nothing. Each event is read once.
 */
export function createTurnBudget({ store, sessionId, lease }: TurnBudgetParts): (unloggedTokens?: number) => Overspent | null {
  const books = new Map<SessionId, Book>()
  let begin = 0
  let spends: readonly Spend[] = []

  const read = (id: SessionId): void => {
    const book = books.get(id) ?? { cursor: 0, costUsd: 0 }
    books.set(id, book)
    for (const batch of store.eventsAfter(id, book.cursor)) {
      for (const envelope of batch) {
        book.cursor = envelope.seq
        if (id === sessionId && BEGINS.has(envelope.event.kind)) begin = envelope.seq
        const spend = spendOf(book, envelope)
        if (spend) spends = [...spends, spend]
      }
      spends = spends.filter(({ seq }) => seq > begin)
    }
  }
  return (unloggedTokens = 0) => {
    const { tokens, costUsd } = lease()
    if (tokens === null && costUsd === null) return null
    read(sessionId)
    for (const child of descendantsOf(store, sessionId)) read(child)
    const used = spends.reduce<Spent>(addSpent, { tokens: unloggedTokens, costUsd: 0 })
    if (tokens !== null && used.tokens >= tokens) return { reason: 'turn_tokens', limit: tokens }
    return costUsd !== null && used.costUsd >= costUsd ? { reason: 'turn_cost', limit: costUsd } : null
  }
}

const BEGINS: ReadonlySet<Envelope['event']['kind']> = new Set(['USER_INPUT', 'TURN_LIMIT'])

/** The position up to which a log has been read, and the session's cost up to that position. */
interface Book {
  cursor: number
  costUsd: number
}

interface Spend extends Spent {
  readonly seq: number
}

function spendOf(book: Book, { seq, event }: Envelope): Spend | null {
  if (event.kind !== 'USAGE') return null
  const costUsd = (event.costUsd ?? book.costUsd) - book.costUsd
  book.costUsd += costUsd
  return { seq, tokens: tokensOf(event.turn), costUsd }
}
