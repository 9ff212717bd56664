import type { StoreApi } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Connection } from './connection.ts'
import { isBusy, type SessionList } from './session-list.ts'
import type { View } from './view-store.ts'

/**
 * Stores in main how far each session has been seen, so that all windows know it, even after a restart. A session counts as seen while the
 * window has the focus and shows its ledger. This is reported when a session is shown, when its turn ends on screen, and when the window
 * gets the focus.
 */
export function followSeen(connection: Connection, view: StoreApi<View>, list: StoreApi<SessionList>): void {
  /** Marks the session as seen up to the newest event that this window knows. */
  const see = (sessionId: SessionId | null): void => {
    const session = sessionId === null ? undefined : list.getState().sessions.get(sessionId)
    if (!session) return
    const { cursor } = session
    view.setState(({ seen }) => ((seen[session.sessionId] ?? 0) >= cursor ? {} : { seen: { ...seen, [session.sessionId]: cursor } }))
    // If this fails, the session is marked as new again, which does no harm.
    void connection.client?.sessions.see({ sessionId: session.sessionId, cursor }).catch(() => {})
  }
  const seeShown = (): void => {
    if (!isAway()) see(shownOf(view.getState()))
  }
  connection.keep(async (client, signal) => {
    for await (const received of client.sessions.seen({}, signal)) view.setState(({ seen }) => ({ seen: newest(seen, received) }))
  })
  view.subscribe((now, before) => {
    const shown = shownOf(now)
    const left = shownOf(before)
    if (shown === left) return
    if (!isAway()) see(left)
    seeShown()
  })
  list.subscribe((now, before) => {
    const shown = shownOf(view.getState())
    const session = shown === null ? undefined : now.sessions.get(shown)
    if (session && !isBusy(session) && session !== before.sessions.get(session.sessionId)) seeShown()
  })
  if (typeof document === 'undefined') return
  window.addEventListener('focus', seeShown)
  document.addEventListener('visibilitychange', seeShown)
}

/** The session whose ledger is on screen. */
const shownOf = ({ page, sessionId }: View): SessionId | null => (page === 'desk' ? sessionId : null)

/** Whether the window is hidden or unfocused. Without a document, as in tests of the state, it counts as visible. */
export const isAway = (): boolean => typeof document !== 'undefined' && (document.visibilityState !== 'visible' || !document.hasFocus())

/**
 * Early ends of turns that the user has dismissed. The main process stores them for all windows and across restarts. Ends that were
 * dismissed without a connection are sent after reconnecting.
 */
export function followDismissed(connection: Connection, view: StoreApi<View>): void {
  connection.keep(async (client, signal) => {
    let isFirst = true
    for await (const received of client.sessions.dismissed({}, signal)) {
      const own = view.getState().dismissed
      view.setState({ dismissed: newest(own, received) })
      const unsent = isFirst ? Object.entries(own).filter(([id, cursor]) => cursor > (received[id] ?? 0)) : []
      isFirst = false
      for (const [id, cursor] of unsent) void client.sessions.dismiss({ sessionId: id, cursor }).catch(() => {})
    }
  })
}

function newest(own: View['seen'], received: View['seen']): View['seen'] {
  return { ...own, ...Object.fromEntries(Object.entries(received).map(([id, cursor]) => [id, Math.max(cursor, own[id] ?? 0)])) }
}
