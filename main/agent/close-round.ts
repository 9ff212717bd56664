import type { CallOutcome, CopyOutcome, DurableEvent } from '../../shared/session/events.ts'
import type { CallItem, SessionState } from '../../shared/session/state.ts'
import type { WithdrawnFor } from '../../shared/session/settings/where.ts'

/**
 * Why a turn is aborted: the user stopped it, or the session or the app closes while the turn runs. `withdrawn`: it was stopped because its
 * request was withdrawn.
 */
export class TurnStopped extends Error {
  readonly why: 'stopped' | 'closed'
  readonly withdrawn: WithdrawnFor | undefined

  constructor(why: 'stopped' | 'closed', withdrawn?: WithdrawnFor) {
    super(why === 'stopped' ? 'The turn was stopped.' : 'The session was closed.')
    this.name = 'TurnStopped'
    this.why = why
    this.withdrawn = withdrawn
  }
}

/** The outcome of a running call that was aborted, and what the model reads about it. */
export function stopOf(signal: AbortSignal): { readonly outcome: CallOutcome; readonly words: string } {
  const closed = signal.reason instanceof TurnStopped && signal.reason.why === 'closed'
  if (closed) return { outcome: 'interrupted', words: 'Interrupted: Countersign was closed while this ran, so it was stopped.' }
  return { outcome: 'stopped', words: 'Cancelled by the user.' }
}

/** Why `closeRound` ends the open calls. */
export type ClosedBy = 'stop' | 'new_message' | 'withdrawal'

/** Ends every open call, so that each call in the conversation has a result. Withdraws requests, and executes nothing. */
export function closeRound(state: SessionState, by: ClosedBy): readonly DurableEvent[] {
  return state.items.flatMap((item) => (item.kind === 'call' && state.open.includes(item.toolCallId) ? closeCall(item, by) : []))
}

function closeCall({ toolCallId, toolName, status, approval, startedAt, copy }: CallItem, by: ClosedBy): readonly DurableEvent[] {
  const events: DurableEvent[] = []
  if (status === 'waiting' && approval) {
    const { approvalId } = approval
    events.push({ kind: 'APPROVAL_ANSWERED', approvalId, toolCallId, answer: { kind: 'withdrawn', why: 'stopped' } })
  }
  const hasBegun = startedAt !== null
  const neverApplied = copy?.outcome ? neverAppliedWords(copy.outcome, by) : null
  events.push({
    kind: 'TOOL_CALL_END',
    toolCallId,
    toolName,
    output: '',
    outputBlob: null,
    modelText: hasBegun
      ? 'Interrupted; the outcome is unknown.'
      : (neverApplied ?? (by === 'new_message' ? NEVER_RAN : 'Cancelled by the user before it ran.')),
    isError: true,
    outcome: hasBegun || by === 'new_message' ? 'interrupted' : 'stopped',
    durationMs: hasBegun ? null : 0,
    details: null,
  })
  return events
}

const WHY_CLOSED: Readonly<Record<ClosedBy, string>> = {
  stop: 'the user stopped the turn',
  new_message: 'the user sent another message',
  withdrawal: 'the request was withdrawn',
}

/** What the model reads about changes that waited for a signature. The complete output is stored only for an answer to the request. */
function neverAppliedWords({ tail, exitCode, effects: [first] }: CopyOutcome, by: ClosedBy): string {
  const why = WHY_CLOSED[by]
  if (first?.kind === 'command' && first.subagent) return `The subagent ended, but none of its changes were applied, because ${why}.`
  if (first?.kind === 'command' && first.broughtFrom) return `Nothing was brought in, because ${why}.`
  const ran = `The command ran in a copy of the folder (exit code ${exitCode ?? 'unknown'}), and none of its changes were applied, because ${why}.`
  return tail === '' ? ran : `${ran} The end of its output:\n${tail}`
}

const NEVER_RAN = 'Not executed: the turn was interrupted before this call, and the user sent another message.'
