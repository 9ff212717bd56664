import type { DurableEvent } from '../../shared/session/events.ts'
import type { CallItem, SessionState } from '../../shared/session/state.ts'

/** Why calls that have no end yet will get none of their own. */
export type ClosedBy = 'stop' | 'new_message'

/** Ends every open call, so that each call of the conversation has its result (T-08): requests are withdrawn, nothing is executed. */
export function closeRound(state: SessionState, by: ClosedBy): readonly DurableEvent[] {
  return state.items.flatMap((item) => (item.kind === 'call' && state.open.includes(item.toolCallId) ? closeCall(item, by) : []))
}

function closeCall({ toolCallId, toolName, status, approval, startedAt }: CallItem, by: ClosedBy): readonly DurableEvent[] {
  const events: DurableEvent[] = []
  if (status === 'waiting' && approval) {
    const { approvalId } = approval
    events.push({ kind: 'APPROVAL_ANSWERED', approvalId, toolCallId, answer: { kind: 'withdrawn', why: 'stopped' } })
  }
  const hasBegun = startedAt !== null
  events.push({
    kind: 'TOOL_CALL_END',
    toolCallId,
    toolName,
    output: '',
    outputBlob: null,
    modelText: hasBegun ? 'Interrupted; the outcome is unknown.' : by === 'stop' ? 'Cancelled by the user before it ran.' : NEVER_RAN,
    isError: true,
    outcome: hasBegun || by === 'new_message' ? 'interrupted' : 'stopped',
    durationMs: hasBegun ? null : 0,
    details: null,
  })
  return events
}

const NEVER_RAN = 'Not executed: the turn was interrupted before this call, and the user went on with another message.'
