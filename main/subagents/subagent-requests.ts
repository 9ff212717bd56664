import { AsyncQueue } from '../../shared/lib/async-queue.ts'
import type { ApprovalId, SessionId } from '../../shared/lib/ids.ts'
import type { Result } from '../../shared/lib/result.ts'
import type { SessionEvent, Trouble } from '../../shared/session/events.ts'
import { isFinished, pendingCalls } from '../../shared/session/fold/run-state.ts'
import type { CallItem } from '../../shared/session/state.ts'
import type { OpenedSession } from '../sessions/opened-session.ts'

/** A session, and a function that opens its subagents. */
export interface FamilyParts {
  readonly session: OpenedSession
  open(sessionId: SessionId): Promise<Result<OpenedSession, Trouble>>
  readonly signal: AbortSignal
}

/** A request for a signature and the session that made it, which is `session` itself or one of its subagents. */
export interface FamilyRequest {
  readonly session: OpenedSession
  readonly call: CallItem & { readonly approval: NonNullable<CallItem['approval']> }
}

/**
 * Yields the pending requests of a session, and then the new requests of the session and its subagents, each once. Requests that are
 * answered or withdrawn before the consumer gets them are skipped. Ends when the signal aborts.
 */
export async function* familyRequests({ session, open, signal }: FamilyParts): AsyncGenerator<FamilyRequest, void, undefined> {
  if (signal.aborted) return
  const asked = new AsyncQueue<{ readonly by: SessionId; readonly approvalId: ApprovalId }>()
  const { sessionId, record } = session
  const subscription = record.subscribe((envelope) => {
    const { by, event } = whoseEvent(envelope.event, sessionId)
    if (event.kind === 'APPROVAL_REQUESTED') asked.push({ by, approvalId: event.approvalId })
  })
  const end = (): void => asked.end()
  signal.addEventListener('abort', end, { once: true })
  for (const { approval } of pendingCalls(record.state())) if (approval) asked.push({ by: sessionId, approvalId: approval.approvalId })
  try {
    for await (const { by, approvalId } of asked) {
      if (signal.aborted) return
      const asking = by === sessionId ? session : await opened(open, by)
      const call = asking && waiting(asking, approvalId)
      if (call) yield { session: asking, call }
    }
  } finally {
    subscription.dispose()
    signal.removeEventListener('abort', end)
  }
}

async function opened(open: FamilyParts['open'], sessionId: SessionId): Promise<OpenedSession | null> {
  const session = await open(sessionId)
  return session.ok ? session.value : null
}

function waiting({ record }: OpenedSession, approvalId: ApprovalId): FamilyRequest['call'] | null {
  for (const call of pendingCalls(record.state())) {
    const { approval } = call
    if (approval?.approvalId === approvalId) return { ...call, approval }
  }
  return null
}

/** Stops the subagents that are still running, because nobody will use their results. Resolves when their ends are recorded. */
export async function stopSubagents(ids: Iterable<SessionId>, open: FamilyParts['open']): Promise<void> {
  const stop = async (id: SessionId): Promise<void> => {
    const child = await open(id)
    if (child.ok && !isFinished(child.value.record.state())) await child.value.stop()
  }
  await Promise.all([...ids].map(stop))
}

type OwnEvent = Exclude<SessionEvent, { kind: 'SUBAGENT_EVENT' }>

/**
 * Unwraps an event of a session's stream, and returns the session it belongs to: the session itself (`own`), or a subagent at any depth.
 */
export function whoseEvent(event: SessionEvent, own: SessionId): { readonly by: SessionId; readonly event: OwnEvent } {
  return event.kind === 'SUBAGENT_EVENT' ? whoseEvent(event.event, event.subagentId) : { by: own, event }
}
