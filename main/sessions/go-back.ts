import type { Done } from '../../shared/api/sessions.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { ConversationMove, ConversationPoint } from '../../shared/session/conversation-move.ts'
import type { DurableEvent, Trouble } from '../../shared/session/events.ts'
import { isIdle } from '../../shared/session/fold/run-state.ts'
import type { SessionState } from '../../shared/session/state.ts'
import { closeRound } from '../agent/close-round.ts'
import { findPoint } from '../agent/record/conversation-point.ts'
import type { SessionRecord } from '../agent/record/session-record.ts'

/**
 * Moves the conversation to another point; fails while a turn runs. Later messages stay in the log. To bring them back, go to the point
 * just before this move. Files do not change.
 */
export async function goBack(record: SessionRecord, point: ConversationPoint): Promise<Done> {
  const found = await pointFor(record, point)
  return found.ok ? whileIdle(record, () => [{ kind: 'CONVERSATION_MOVED', ...found.value }]) : { ok: false, trouble: found.failure }
}

/**
 * Resolves to the position of this point in the log. Before that, ends the calls that an interrupted turn left open, so that every call
 * has a result.
 */
export async function pointFor(record: SessionRecord, point: ConversationPoint): Promise<Result<ConversationMove, Trouble>> {
  const closed = whileIdle(record, (state) => closeRound(state, 'stop'))
  if (!closed.ok) return failed(closed.trouble)
  const move = await findPoint(record, record.sessionId, point)
  return move ? ok(move) : failed(NO_POINT)
}

/** Appends the events if no turn is running. */
function whileIdle(record: SessionRecord, events: (state: SessionState) => readonly DurableEvent[]): Done {
  let done: Done = { ok: true }
  record.transact(() => {
    const state = record.state()
    if (isIdle(state)) return events(state)
    done = { ok: false, trouble: TURN_RUNS }
    return []
  })
  return done
}

const TURN_RUNS: Trouble = {
  code: 'turn_runs',
  what: 'The agent is still working, so the conversation was not changed.',
  kept: 'The conversation is unchanged.',
  todo: 'Stop the turn or wait for it to end, then try again.',
}

export const NO_POINT: Trouble = {
  code: 'no_such_point',
  what: 'The session has no such point.',
  kept: 'The conversation is unchanged.',
  todo: 'Choose a message or a step of this session.',
}
