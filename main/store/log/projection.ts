import type { SessionSummary, SpentSummary } from '../../../shared/api/sessions.ts'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import { tokensOf } from '../../../shared/session/content.ts'
import type { DurableEvent, Envelope, ParentLink, SessionConfigured } from '../../../shared/session/events.ts'
import { emptySession, fold } from '../../../shared/session/fold/fold.ts'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
import type { FailedCommand, Item, RunState, SessionState } from '../../../shared/session/state.ts'
import { needOfCalls } from '../../../shared/session/fold/session-need.ts'

/**
 * Increase this whenever the fold or a derived table computes a different result from the same events. Rows of another version are
 * rebuilt from the log when they are first used.
 */
export const PROJECTION_VERSION = 13

/**
 * The data that the writer of a session keeps between appends: the folded state with only those ledger entries that a later event can
 * still change (open calls and the newest entry), and the indexes of these entries in the complete ledger.
 */
export interface Projection {
  readonly state: SessionState
  /** Number of entries in the complete ledger. */
  readonly items: number
  readonly openItems: ReadonlyMap<ToolCallId, number>
}

/** A row of `sessions`. */
export interface SessionRow {
  readonly session_id: SessionId
  readonly title: string
  readonly cwd: string
  readonly config: string
  readonly parent: string | null
  readonly run: RunState
  readonly ended: SessionState['ended']
  /**
   * Seq of the event that ended the newest turn; 0 before the first turn has ended. `asks` is 1 if that turn ended with a question,
   * otherwise 0.
   */
  readonly turn_end: number
  readonly asks: number
  /** A `FailedCommand` as JSON. */
  readonly failed_command: string | null
  readonly pending: number
  readonly need: string | null
  readonly steps: number
  readonly items: number
  readonly open: string
  /** The state without its ledger. The other columns are needed for lists. */
  readonly state: string
  readonly version: number
  readonly started_at: number
  readonly updated_at: number
  readonly cursor: number
}

export const emptyProjection = (sessionId: SessionId): Projection => ({ state: emptySession(sessionId), items: 0, openItems: new Map() })

/** The projection after one more event, and the index of the ledger entry that the event adds or changes. */
export function project(before: Projection, envelope: Envelope): { readonly after: Projection; readonly item: number | null } {
  const state = fold(before.state, envelope)
  const { event } = envelope
  const isNew = state.items.length > before.state.items.length
  const item = isNew ? before.items : 'toolCallId' in event ? (before.openItems.get(event.toolCallId) ?? null) : null
  return { after: prune(state, before.items + (isNew ? 1 : 0), nextOpen(before.openItems, event, item)), item }
}

/** The projection of a state whose ledger entries reach back at least to its oldest open call. */
export function projectionOf(state: SessionState): Projection {
  const openItems = new Map<ToolCallId, number>()
  state.items.forEach((item, index) => {
    if (item.kind === 'call' && state.open.includes(item.toolCallId)) openItems.set(item.toolCallId, state.firstItem + index)
  })
  return prune(state, state.firstItem + state.items.length, openItems)
}

function nextOpen(open: Projection['openItems'], event: DurableEvent, item: number | null): Projection['openItems'] {
  if (event.kind === 'TOOL_CALL_START' && item !== null) return new Map(open).set(event.toolCallId, item)
  if (event.kind !== 'TOOL_CALL_END') return open
  const rest = new Map(open)
  rest.delete(event.toolCallId)
  return rest
}

function prune(state: SessionState, items: number, openItems: Projection['openItems']): Projection {
  const isNeeded = (item: Item, index: number): boolean =>
    index === state.items.length - 1 || (item.kind === 'call' && openItems.has(item.toolCallId))
  return { state: { ...state, firstItem: 0, items: state.items.filter(isNeeded) }, items, openItems }
}

export function rowOf({ state, items, openItems }: Projection): SessionRow {
  const pending = pendingCalls(state)
  return {
    session_id: state.sessionId,
    title: state.title,
    cwd: state.cwd,
    config: JSON.stringify(state.config),
    parent: state.parent && JSON.stringify(state.parent),
    run: state.run,
    ended: state.ended,
    turn_end: state.turnEnd?.seq ?? 0,
    asks: state.turnEnd?.asks === true ? 1 : 0,
    failed_command: state.failedCommand && JSON.stringify(state.failedCommand),
    pending: pending.length,
    need: needOfCalls(pending),
    steps: state.steps,
    items,
    open: JSON.stringify([...openItems]),
    state: JSON.stringify({ ...state, firstItem: items, items: [], live: null } satisfies SessionState),
    version: PROJECTION_VERSION,
    started_at: state.startedAt,
    updated_at: state.updatedAt,
    cursor: state.cursor,
  }
}

/** The state without its ledger, and the index of the oldest open call. If no call is open, the index is the length of the ledger. */
export function stateOf(row: SessionRow): { readonly state: SessionState; readonly oldestOpen: number } {
  const open = JSON.parse(row.open) as readonly (readonly [ToolCallId, number])[]
  const state: SessionState = { ...emptySession(row.session_id), ...(JSON.parse(row.state) as SessionState) }
  return { state, oldestOpen: Math.min(row.items, ...open.map(([, item]) => item)) }
}

export function summaryOf(row: SessionRow, running: boolean): SessionSummary {
  return {
    sessionId: row.session_id,
    title: row.title,
    folder: row.cwd,
    config: JSON.parse(row.config) as SessionConfigured,
    parent: row.parent === null ? null : (JSON.parse(row.parent) as ParentLink),
    run: row.run,
    ended: row.ended,
    turnEnd: row.turn_end,
    asks: row.asks === 1,
    need: row.need,
    failedCommand: row.failed_command === null ? null : (JSON.parse(row.failed_command) as FailedCommand),
    steps: row.steps,
    spent: row.parent === null ? null : spentOf(JSON.parse(row.state) as SessionState),
    startedAt: row.started_at,
    updatedAt: row.updated_at,
    cursor: row.cursor,
    running,
  }
}

function spentOf({ usage, costUsd, answers }: SessionState): SpentSummary {
  return { tokens: tokensOf(usage), costUsd, answers }
}
