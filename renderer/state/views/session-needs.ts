import type { SessionSummary } from '../../../shared/api/sessions.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { ASKED_A_QUESTION, needAfterTurn } from '../../../shared/session/fold/session-need.ts'
import { isBusy } from '../stores/session-list.ts'
import type { View } from '../stores/view-store.ts'

/** What the user has seen and dismissed. */
export type Known = Pick<View, 'seen' | 'dismissed'>

/** What a session needs from the user. Null if it needs nothing. */
export function needOfSession(session: SessionSummary, known: Known): string | null {
  return needWith(session, known)?.words ?? null
}

/**
 * The sessions that need the user: waiting requests first, then turns that ended early, then questions. Within each kind, the longest
 * wait comes first.
 */
export function sessionsInNeed(sessions: Iterable<SessionSummary>, known: Known): readonly SessionSummary[] {
  return [...sessions]
    .flatMap((session) => {
      const need = needWith(session, known)
      return need === null ? [] : [{ session, rank: need.rank }]
    })
    .sort((a, b) => a.rank - b.rank || a.session.cursor - b.session.cursor)
    .map(({ session }) => session)
}

/** Whether a turn was completed or a background command failed after the user last saw the session, and the session needs nothing. */
export function isUnread(session: SessionSummary, known: Known): boolean {
  if (hasNewFailure(session, known) && needWith(session, known) === null) return true
  if (session.parent !== null || isBusy(session) || session.ended !== 'completed') return false
  return isNewTo(session, known) && needWith(session, known) === null
}

/**
 * The sessions that need the user, and the sessions with a completed turn that the user has not seen, for the rail and the window title.
 */
export interface Attention {
  readonly needs: readonly SessionId[]
  readonly unread: readonly SessionId[]
}

export function attentionOf(sessions: Iterable<SessionSummary>, known: Known): Attention {
  const all = [...sessions]
  return {
    needs: sessionsInNeed(all, known).map(({ sessionId }) => sessionId),
    unread: all.filter((session) => isUnread(session, known)).map(({ sessionId }) => sessionId),
  }
}

function hasNewFailure({ sessionId, parent, failedCommand }: SessionSummary, { seen }: Known): boolean {
  return failedCommand !== null && parent === null && failedCommand.seq > (seen[sessionId] ?? 0)
}

type Rank = 0 | 1 | 2

function needWith(session: SessionSummary, known: Known): { readonly words: string; readonly rank: Rank } | null {
  if (session.need !== null) return { words: session.need, rank: 0 }
  // The end of a subagent matters only to its parent.
  if (session.parent !== null || isBusy(session)) return null
  if (session.asks && isNewTo(session, known)) return { words: ASKED_A_QUESTION, rank: 2 }
  if ((known.dismissed[session.sessionId] ?? 0) >= (session.turnEnd || session.cursor)) return null
  const words = needAfterTurn(session.ended)
  return words === null ? null : { words, rank: 1 }
}

function isNewTo({ sessionId, turnEnd }: SessionSummary, { seen }: Known): boolean {
  return turnEnd > (seen[sessionId] ?? 0)
}
