import type { StoreApi } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { View } from './view-store.ts'

const MOST = 20
/** Maximum time in ms between two quick switches of one series. */
const SETTLED_MS = 1_500

export interface RecentSessions {
  /** The sessions that this window has shown, the newest first. */
  list(): readonly SessionId[]
  /**
   * The session that a quick switch shows. Each switch of a quick series goes one further back. Sessions for which `isThere` is false are
   * skipped.
   */
  before(isThere: (sessionId: SessionId) => boolean): SessionId | null
}

/** Remembers which sessions this window has shown. */
export function followRecentSessions(view: StoreApi<View>, now: () => number = () => performance.now()): RecentSessions {
  let shown: readonly SessionId[] = []
  /** The current series of quick switches, with the order of the sessions before it. */
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
