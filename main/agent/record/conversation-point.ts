import type { SessionId } from '../../../shared/lib/ids.ts'
import type { ConversationMove, ConversationPoint } from '../../../shared/session/conversation-move.ts'
import type { Envelope } from '../../../shared/session/events.ts'
import { emptySession, foldAll } from '../../../shared/session/fold/fold.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import type { EventLog } from '../ports/event-log.ts'
import { createSlices } from '../event-loop-slices.ts'
import { pruned } from './session-record.ts'
import { createTranscript } from './transcript.ts'

/**
 * Finds the event after which the conversation matches `point` and every call has its result. Returns the event and the session's state
 * after it. Null if the session has no such point. Reads the log once, in slices.
 */
export async function findPoint(
  log: Pick<EventLog, 'read'>,
  sessionId: SessionId,
  point: ConversationPoint,
): Promise<ConversationMove | null> {
  const slice = createSlices()
  const transcript = createTranscript()
  let state = emptySession(sessionId)
  let whole = state
  for (const envelope of log.read({ slimTo: Number.MAX_SAFE_INTEGER })) {
    if (point.kind === 'before' && envelope.seq >= point.seq) return envelope.seq === point.seq ? moveAt(whole) : null
    state = pruned(foldAll(state, [envelope]))
    transcript.add(envelope.event, envelope.seq)
    if (transcript.openRound() === null) {
      whole = state
      if (isReached(point, envelope, state)) return moveAt(whole)
    }
    await slice()
  }
  return null
}

function isReached(point: ConversationPoint, { seq }: Envelope, { steps }: SessionState): boolean {
  if (point.kind === 'before') return false
  return point.kind === 'after' ? seq >= point.seq : steps >= point.step
}

function moveAt({ cursor, todos, compactions, wholeWanted, context }: SessionState): ConversationMove | null {
  return cursor === 0 ? null : { to: cursor, todos, compactions, wholeWanted, context }
}
