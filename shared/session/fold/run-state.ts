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
  // For a background command, this event may come when no turn is running.
  'FILES_CHANGED',
])

/** The state after an event. It is derived and never stored. */
export function runState(state: Pick<SessionState, 'run' | 'ended' | 'open' | 'items'>, event: DurableEvent): RunState {
  if (event.kind === 'SESSION_END') return 'CLOSED'
  if (event.kind === 'SESSION_CONFIGURED' || event.kind === 'SESSION_START') return state.run === 'CLOSED' ? 'IDLE' : state.run
  if (event.kind === 'PROCESSING_END') return 'IDLE'
  if (WITHOUT_INFLUENCE.has(event.kind)) return state.run
  return pendingCalls(state).length > 0 ? 'AWAITING_INPUT' : 'PROCESSING'
}

/** Whether no turn is running. A closed session that is opened again starts a turn like any other session. */
export function isIdle({ run }: Pick<SessionState, 'run'>): boolean {
  return run === 'IDLE' || run === 'CLOSED'
}

/** Whether no turn is running and no queued message would start a turn. The last answer is then the session's result. */
export function isFinished({ run, queue }: Pick<SessionState, 'run' | 'queue'>): boolean {
  return isIdle({ run }) && queue.every(({ held }) => held)
}

/**
 * Calls that wait for a signature, in call order. Open calls are among the newest items, so the search stops as soon as all are found.
 */
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

/** Whether a command is running in its copy now, even if it is waiting for an answer about a host. */
export function isInCopy({ startedAt, endedAt, copy }: Pick<CallItem, 'startedAt' | 'endedAt' | 'copy'>): boolean {
  return startedAt === null && endedAt === null && copy?.outcome === null
}

/** Time when a call began to run, in its copy or for real, in ms since 1970. Null if the call has not begun to run. */
export function beganAt({ startedAt, copy }: Pick<CallItem, 'startedAt' | 'copy'>): number | null {
  return copy?.startedAt ?? startedAt
}

/** While the log cannot be stored, the hashes of requests end with this, so that a step needs a signature from a user who knew that. */
export const UNSAVED = '-unsaved'

/** Whether two hashes are of the same request, even if only one of them was made while the log could not be stored. */
export const isSameRequest = (a: string, b: string): boolean => savedHash(a) === savedHash(b)

const savedHash = (hash: string): string => (hash.endsWith(UNSAVED) ? hash.slice(0, -UNSAVED.length) : hash)
