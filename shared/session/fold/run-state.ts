import type { DurableEvent } from '../events.ts'
import type { CallItem, RunState, SessionState } from '../state.ts'

const WITHOUT_INFLUENCE: ReadonlySet<DurableEvent['kind']> = new Set([
  'ERROR',
  'WARNING',
  'CONTEXT_WARNING',
  'COMPACTED',
  'COMPACTION_UNDONE',
  'ROLLBACK_STARTED',
  'ROLLED_BACK',
  'CONVERSATION_MOVED',
  'SESSION_RENAMED',
  'INPUT_QUEUED',
  'INPUT_WITHDRAWN',
  'STOP_REQUESTED',
  'RETRY_REQUESTED',
  'TURN_LIMIT',
  // Of a background command, it may come when no turn runs.
  'FILES_CHANGED',
])

/** The state after an event; derived, never stored. */
export function runState(state: Pick<SessionState, 'run' | 'ended' | 'open' | 'items'>, event: DurableEvent): RunState {
  if (event.kind === 'SESSION_END') return 'CLOSED'
  if (event.kind === 'SESSION_CONFIGURED' || event.kind === 'SESSION_START') return state.run === 'CLOSED' ? 'IDLE' : state.run
  if (event.kind === 'PROCESSING_END') return 'IDLE'
  if (WITHOUT_INFLUENCE.has(event.kind)) return state.run
  return pendingCalls(state).length > 0 ? 'AWAITING_INPUT' : 'PROCESSING'
}

/** No turn runs. A closed session that is opened again starts a turn like any other. */
export function isIdle({ run }: Pick<SessionState, 'run'>): boolean {
  return run === 'IDLE' || run === 'CLOSED'
}

/** No turn runs, and no queued message would start one: its last answer is its result. */
export function isFinished({ run, queue }: Pick<SessionState, 'run' | 'queue'>): boolean {
  return isIdle({ run }) && queue.every(({ held }) => held)
}

/** Calls that wait for a signature, in call order. Open calls are among the newest items, so the search ends as soon as all are found. */
export function pendingCalls(state: Pick<SessionState, 'open' | 'items'>): readonly CallItem[] {
  const open = new Set(state.open)
  const pending: CallItem[] = []
  for (let index = state.items.length - 1; index >= 0 && open.size > 0; index--) {
    const item = state.items[index]
    if (item?.kind !== 'call' || !open.delete(item.toolCallId)) continue
    if (item.status === 'waiting') pending.unshift(item)
  }
  return pending
}

/** A command that runs in its copy now, whether or not it waits for an answer about a host. */
export function isInCopy({ startedAt, endedAt, copy }: Pick<CallItem, 'startedAt' | 'endedAt' | 'copy'>): boolean {
  return startedAt === null && endedAt === null && copy?.outcome === null
}

/** When a call began to run, in its copy or for real; ms since 1970. Null: it has not. */
export function beganAt({ startedAt, copy }: Pick<CallItem, 'startedAt' | 'copy'>): number | null {
  return copy?.startedAt ?? startedAt
}
