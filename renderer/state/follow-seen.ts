import type { StoreApi } from 'zustand'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Connection } from './connection.ts'
import { isBusy, type SessionList } from './session-list.ts'
import type { View } from './view-store.ts'

/**
 * How far each session has been on screen, as main keeps it for every window and every start; told to main when a session comes on screen or
 * leaves it, and when its turn ends while it is there.
 */
export function followSeen(connection: Connection, view: StoreApi<View>, list: StoreApi<SessionList>): void {
  const see = (sessionId: SessionId | null): void => {
    // what is not told is new once more: no harm
    if (sessionId !== null) void connection.client?.sessions.see({ sessionId }).catch(() => {})
  }
  connection.keep(async (client, signal) => {
    see(view.getState().sessionId)
    for await (const told of client.sessions.seen({}, signal)) view.setState(({ seen }) => ({ seen: newest(seen, told) }))
  })
  view.subscribe((now, before) => {
    if (now.sessionId === before.sessionId) return
    see(before.sessionId)
    see(now.sessionId)
  })
  list.subscribe((now, before) => {
    const { sessionId } = view.getState()
    const session = sessionId === null ? undefined : now.sessions.get(sessionId)
    if (!session || isBusy(session) || isHidden()) return
    if (session.cursor !== before.sessions.get(session.sessionId)?.cursor) see(session.sessionId)
  })
}

/** Nobody sees a page behind others; without a page, as in tests of the state alone, whoever holds the state sees it. */
const isHidden = (): boolean => typeof document !== 'undefined' && document.visibilityState !== 'visible'

function newest(own: View['seen'], told: View['seen']): View['seen'] {
  return { ...own, ...Object.fromEntries(Object.entries(told).map(([id, cursor]) => [id, Math.max(cursor, own[id] ?? 0)])) }
}
