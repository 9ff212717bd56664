import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import { emptySession, fold, foldAll } from '../../../shared/session/fold/fold.ts'
import { withoutUnfinishedCopy } from '../../../shared/session/fold/fold-call.ts'
import { isIdle } from '../../../shared/session/fold/run-state.ts'
import type { CallItem, Item, SessionState } from '../../../shared/session/state.ts'
import type { EventRows, ChangingEvent } from './event-rows.ts'
import { stateOf } from './projection.ts'
import type { SessionRows } from './session-rows.ts'

/**
 * Maximum number of bytes of the events of one page, so that the page is parsed, sent and drawn in a few milliseconds. A few entries are
 * included regardless of their size.
 */
const PAGE_BYTES = 1024 * 1024
const FEWEST_ITEMS = 10

/** Pages of a session's ledger. Each is folded only from its own events, so its cost does not grow with the session. */
export interface LedgerPages {
  /**
   * The current state with the last page of its ledger. The page contains the newest `limit` entries, or fewer if they are long, but it
   * always reaches back to the oldest open call. The result equals the fold of the complete log without the entries before `firstItem`.
   * Null if there is no such session.
   */
  snapshot(sessionId: SessionId, limit: number): SessionState | null
  /** At most `limit` entries before `before` (an index into the whole ledger), fewer if they are long, oldest first. */
  page(sessionId: SessionId, before: number, limit: number): { readonly firstItem: number; readonly items: readonly Item[] }
  /** The entry of one call; null if there is none. */
  call(sessionId: SessionId, toolCallId: ToolCallId): CallItem | null
  /** At most `most` events after `from` (a seq) that changed files or may have changed files, oldest first. */
  changes(sessionId: SessionId, from: number, most: number): readonly ChangingEvent[]
}

export function createLedgerPages(events: EventRows, sessions: SessionRows): LedgerPages {
  const items = (sessionId: SessionId, from: number, to: number): readonly Item[] => {
    if (from >= to) return []
    const { state, skip } = seed(events, sessionId, from)
    const found = foldAll(state, events.ofItems(sessionId, from, to)).items.slice(skip)
    const row = sessions.get(sessionId)
    // The event that ends a turn belongs to no entry, so it is not folded here. What it does to calls whose copies were still running is
    // therefore done here.
    if (!row || !isIdle(stateOf(row).state)) return found
    return found.map((item) => (item.kind === 'call' ? withoutUnfinishedCopy(item) : item))
  }
  const firstOfPage = (sessionId: SessionId, to: number, limit: number): number =>
    limit <= FEWEST_ITEMS ? Math.max(0, to - limit) : events.lightItems(sessionId, Math.max(0, to - limit), to, PAGE_BYTES, FEWEST_ITEMS)
  const callAt = (sessionId: SessionId, index: number): readonly CallItem[] =>
    items(sessionId, index, index + 1).filter((item) => item.kind === 'call')
  return {
    snapshot(sessionId, limit) {
      const row = sessions.get(sessionId)
      if (!row) return null
      const { state, oldestOpen } = stateOf(row)
      const firstItem = Math.min(firstOfPage(sessionId, row.items, limit), oldestOpen)
      return { ...state, firstItem, items: items(sessionId, firstItem, row.items) }
    },
    page(sessionId, before, limit) {
      const to = Math.min(before, sessions.get(sessionId)?.items ?? 0)
      const firstItem = firstOfPage(sessionId, to, limit)
      return { firstItem, items: items(sessionId, firstItem, to) }
    },
    call(sessionId, toolCallId) {
      const index = events.derived.itemOfCall(sessionId, toolCallId)
      return index === null ? null : (callAt(sessionId, index)[0] ?? null)
    },
    changes: events.changesAfter,
  }
}

/**
 * What the fold needs to know about the ledger before entry `from`: the previous entry, because consecutive reads share a step, and the
 * step number after it.
 */
function seed(events: EventRows, sessionId: SessionId, from: number): { readonly state: SessionState; readonly skip: number } {
  const state = emptySession(sessionId)
  const before = from > 0 ? events.makingItem(sessionId, from - 1) : null
  if (!before) return { state, skip: 0 }
  // All events that follow have a later seq than `before`, so the fold accepts them.
  return { state: { ...fold(state, before.envelope), steps: before.step }, skip: 1 }
}
