import type { StoreApi } from 'zustand'
import type { SessionList } from './session-list.ts'
import type { View } from './view-store.ts'

/** When one of two sessions that are side by side is deleted, by any window, shows only the other one. */
export function followPair(view: StoreApi<View>, list: StoreApi<SessionList>): void {
  list.subscribe(({ known, sessions }, before) => {
    if (!known) return
    const { pair, sessionId } = view.getState()
    // A new session can be shown a moment before the list contains it. The first list shows which remembered sessions are gone.
    const rest = pair?.filter((one) => sessions.has(one) || (before.known && !before.sessions.has(one)))
    if (!pair || !rest || rest.length === pair.length) return
    view.setState({ pair: null, sessionId: sessionId !== null && rest.includes(sessionId) ? sessionId : (rest[0] ?? null) })
  })
}
