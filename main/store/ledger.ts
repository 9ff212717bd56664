import type { SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import { emptySession, fold, foldAll } from '../../shared/session/fold.ts'
import type { CallItem, Item, SessionState } from '../../shared/session/state.ts'
import type { EventRows } from './event-rows.ts'
import { stateOf } from './projection.ts'
import type { SessionRows } from './session-rows.ts'

/** Pages of a session's ledger, each folded from its own events alone: what it costs does not grow with the session. */
export interface Ledger {
  /**
   * The state as the log has it now with the last page of its ledger: the newest `limit` entries, and further back to the oldest call
   * that is still open. Null: no such session. It equals the fold of the whole log with the entries before `firstItem` left out.
   */
  snapshot(sessionId: SessionId, limit: number): SessionState | null
  /** The entries before `before` (an index of the whole ledger), at most `limit` of them, oldest first. */
  page(sessionId: SessionId, before: number, limit: number): { readonly firstItem: number; readonly items: readonly Item[] }
  /** The entry of one call; null: there is none. */
  call(sessionId: SessionId, toolCallId: ToolCallId): CallItem | null
  /** The entries of the calls that changed files, oldest first. */
  changing(sessionId: SessionId): readonly CallItem[]
}

export function createLedger(events: EventRows, sessions: SessionRows): Ledger {
  const items = (sessionId: SessionId, from: number, to: number): readonly Item[] => {
    if (from >= to) return []
    const { state, skip } = seed(events, sessionId, from)
    return foldAll(state, events.ofItems(sessionId, from, to)).items.slice(skip)
  }
  const callAt = (sessionId: SessionId, index: number): readonly CallItem[] =>
    items(sessionId, index, index + 1).filter((item) => item.kind === 'call')
  return {
    snapshot(sessionId, limit) {
      const row = sessions.get(sessionId)
      if (!row) return null
      const { state, oldestOpen } = stateOf(row)
      const firstItem = Math.max(0, Math.min(row.items - limit, oldestOpen))
      return { ...state, firstItem, items: items(sessionId, firstItem, row.items) }
    },
    page(sessionId, before, limit) {
      const to = Math.min(before, sessions.get(sessionId)?.items ?? 0)
      const firstItem = Math.max(0, to - limit)
      return { firstItem, items: items(sessionId, firstItem, to) }
    },
    call(sessionId, toolCallId) {
      const index = events.itemOfCall(sessionId, toolCallId)
      return index === null ? null : (callAt(sessionId, index)[0] ?? null)
    },
    changing: (sessionId) => events.changingItems(sessionId).flatMap((index) => callAt(sessionId, index)),
  }
}

/** What the fold must know of the ledger before entry `from`: the entry before it (reads share a step) and the step number there. */
function seed(events: EventRows, sessionId: SessionId, from: number): { readonly state: SessionState; readonly skip: number } {
  const state = emptySession(sessionId)
  const before = from > 0 ? events.makingItem(sessionId, from - 1) : null
  if (!before) return { state, skip: 0 }
  // Read from the newest: the fold ignores what is not after its cursor, and the events that follow are.
  return { state: { ...fold(state, before.envelope), steps: before.step }, skip: 1 }
}
