import type { SessionSummary } from '../../shared/api/sessions.ts'
import type { View } from './view-store.ts'

/** What a session needs from its person, in words; null when nothing. An early end needs a decision until it is put aside. */
export function needOfSession(session: SessionSummary, settled: View['settled']): string | null {
  if (session.need !== null) return session.need
  // how a subagent ended is told to the one that sent it
  if (session.parent !== null || session.run !== 'IDLE' || session.ended === null || (settled[session.sessionId] ?? 0) >= session.cursor)
    return null
  switch (session.ended) {
    case 'error':
      return 'Ended early, nothing lost'
    case 'interrupted':
      return 'Interrupted'
    case 'limit':
      return 'At its limit'
    case 'completed':
    case 'stopped':
      return null
  }
}

/** Sessions that need the person: open requests first, then turns that ended early; in each group the one that has waited longest first. */
export function sessionsInNeed(sessions: Iterable<SessionSummary>, settled: View['settled']): readonly SessionSummary[] {
  return [...sessions].filter((session) => needOfSession(session, settled) !== null).sort(byUrgency)
}

/** Nothing goes on in a session until its request is answered; a turn that ended early holds nothing up. */
function byUrgency(a: SessionSummary, b: SessionSummary): number {
  return Number(a.need === null) - Number(b.need === null) || a.cursor - b.cursor
}
