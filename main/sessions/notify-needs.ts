import type { Settings } from '../../shared/api/setting-fields.ts'
import type { SessionListItem, SessionSummary } from '../../shared/api/sessions.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { ASKED_A_QUESTION, needAfterTurn } from '../../shared/session/fold/session-need.ts'
import type { Note } from '../host.ts'

/** Maximum number of characters of a session's title in a notification. Systems show about two lines. */
const MAX_TITLE = 80

export interface NeedsParts {
  readonly list: (signal: AbortSignal) => AsyncIterable<SessionListItem>
  readonly wanted: () => Settings['notifications']
  readonly notify: (note: Note) => void
}

/**
 * Shows a notification when a session begins to need the user's attention, and when a session has finished if the user wants such
 * notifications. Used while no window is open, because an open window shows its own notifications. Needs that existed at the start are not
 * reported. Ends when the signal aborts.
 */
export async function notifyNeeds({ list, wanted, notify }: NeedsParts, signal: AbortSignal): Promise<void> {
  const sessions = new Map<SessionId, SessionSummary>()
  for await (const item of list(signal)) {
    if (signal.aborted) return
    if (item.kind === 'all') {
      for (const session of item.sessions) sessions.set(session.sessionId, session)
      continue
    }
    if (item.kind === 'removed') {
      sessions.delete(item.sessionId)
      continue
    }
    const { session } = item
    const body = newsOf(sessions.get(session.sessionId) ?? null, session, wanted())
    sessions.set(session.sessionId, session)
    const root = rootOf(sessions, session)
    if (body !== null) notify({ title: root.title.slice(0, MAX_TITLE).trim() || 'New session', body, sessionId: root.sessionId })
  }
}

/** Returns the text of a notification about the change from `before` to `now`; null if the change deserves none. */
function newsOf(before: SessionSummary | null, now: SessionSummary, wanted: Settings['notifications']): string | null {
  if (wanted === 'off') return null
  if (now.need !== null) return now.need === before?.need ? null : `Needs you: ${now.need}`
  const { failedCommand } = now
  if (failedCommand && failedCommand.seq > (before?.failedCommand?.seq ?? 0)) return failedCommand.words
  // The end of a subagent's turn is reported to the session that started the subagent, so it needs no notification.
  if (now.parent !== null || now.turnEnd <= (before?.turnEnd ?? 0)) return null
  const need = now.asks ? ASKED_A_QUESTION : needAfterTurn(now.ended)
  return need ?? (wanted === 'finished' && now.ended === 'completed' ? 'Finished' : null)
}

/** The user's session that a subagent works for. A user's session is its own root. */
function rootOf(sessions: ReadonlyMap<SessionId, SessionSummary>, session: SessionSummary): SessionSummary {
  const parent = session.parent === null ? undefined : sessions.get(session.parent.sessionId)
  return parent === undefined ? session : rootOf(sessions, parent)
}
