import type { StoreApi } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { View } from './view-store.ts'

const MOST = 20
/** While sessions follow each other faster than this (ms), the user is still looking for the right one. */
const SETTLED_MS = 1_500

export interface RecentSessions {
  /** The sessions that this window has shown, the newest first. */
  list(): readonly SessionId[]
  /**
   * The session to which a quick switch goes. Switches in quick succession go further back, as long as `isThere` is true for the session.
   */
  before(isThere: (sessionId: SessionId) => boolean): SessionId | null
}

/** Remembers which sessions this window has shown. */
export function followRecentSessions(view: StoreApi<View>, now: () => number = () => performance.now()): RecentSessions {
  let shown: readonly SessionId[] = []
  /** The order before the current series of quick switches. */
  let series: { readonly order: readonly SessionId[]; readonly at: number; readonly since: number } | null = null
  const add = (sessionId: SessionId | null): void => {
    if (sessionId !== null) shown = [sessionId, ...shown.filter((one) => one !== sessionId)].slice(0, MOST)
  }
  add(view.getState().sessionId)
  view.subscribe(({ sessionId }, last) => {
    if (sessionId !== last.sessionId) add(sessionId)
  })
  return {
    list: () => shown,
    before(isThere) {
      const isGoingOn = series !== null && now() - series.since < SETTLED_MS
      const order = (isGoingOn && series ? series.order : shown).filter(isThere)
      if (order.length < 2) return null
      const at = isGoingOn && series ? (series.at + 1) % order.length : 1
      series = { order, at, since: now() }
      return order[at] ?? null
    },
  }
}
