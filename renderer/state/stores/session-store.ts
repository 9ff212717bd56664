import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SessionStreamItem } from '../../../shared/api/sessions.ts'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import { type Disposable, disposable } from '../../../shared/lib/disposable.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { AnyEnvelope } from '../../../shared/session/events.ts'
import { foldAll } from '../../../shared/session/fold/fold.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import type { Connection } from './connection.ts'
import { FrameBatch } from './frame-batch.ts'

/** One open session in this window. */
export interface OpenSession {
  /** Null until the first snapshot. */
  readonly session: SessionState | null
  /** Main has no such session. */
  readonly isMissing: boolean
  /** Why what was shown had to be read anew, until that is put away. Of a session that is missing: why. */
  readonly resetWhy: string | null
  /** Older entries are on their way. */
  readonly loadingOlder: boolean
}

export interface SessionStore extends Disposable {
  readonly store: StoreApi<OpenSession>
  /** Brings the page before the oldest entry held; does nothing while one is coming or when all are here. */
  loadOlder(): Promise<void>
  /** Puts `resetWhy` away. */
  forgetReset(): void
}

/** Entries of one page when the person scrolls up: mounting 100 takes less than 50 ms. */
const PAGE = 100

/** Follows a session: a snapshot first, then every event, folded once per frame. After a break it goes on from its cursor. */
export function followSession(connection: Connection, sessionId: SessionId): SessionStore {
  const store = createStore<OpenSession>(() => ({ session: null, isMissing: false, resetWhy: null, loadingOlder: false }))
  const batch = new FrameBatch<AnyEnvelope>((envelopes) => {
    const { session } = store.getState()
    if (session) store.setState({ session: foldAll(session, envelopes) })
  })
  const subscription = connection.keep(async (client, signal) => {
    batch.flush()
    for await (const item of client.sessions.open({ sessionId, cursor: cursorOf(store.getState().session) }, signal))
      receive(item, store, batch)
    if (!signal.aborted && store.getState().session === null) store.setState({ isMissing: true })
  })
  return {
    store,
    async loadOlder() {
      const { session, loadingOlder } = store.getState()
      if (!session || loadingOlder || session.firstItem === 0 || !connection.client) return
      store.setState({ loadingOlder: true })
      try {
        const page = await connection.client.sessions.page({ sessionId, before: session.firstItem, limit: PAGE })
        store.setState(({ session: now }) => ({ session: now && withOlder(now, page.firstItem, page.items) }))
      } catch {
        // The connection says itself that it was lost; scrolling up again asks again.
      } finally {
        store.setState({ loadingOlder: false })
      }
    },
    forgetReset: () => store.setState({ resetWhy: null }),
    ...disposable(() => {
      subscription.dispose()
      batch.drop()
    }),
  }
}

/** Where to go on after a break. While a turn ran, words of it may have been missed that are not in the log: then the last page anew. */
function cursorOf(session: SessionState | null): number | null {
  return session === null || session.run === 'PROCESSING' ? null : session.cursor
}

function receive(item: SessionStreamItem, store: StoreApi<OpenSession>, batch: FrameBatch<AnyEnvelope>): void {
  switch (item.kind) {
    case 'snapshot':
      batch.drop()
      return store.setState(({ session }) => ({
        session: session ? withOlder(item.state, session.firstItem, session.items) : item.state,
        isMissing: false,
      }))
    case 'events':
      return batch.add(item.envelopes)
    case 'reset':
      batch.drop()
      return store.setState({ session: null, resetWhy: item.why })
    default:
      assertNever(item, 'stream item')
  }
}

/**
 * Entries from `firstItem` on put in front, as far as they lie before those held and leave no gap; the state may have moved on meanwhile.
 * A page that may have been overtaken, since a call of it had no end yet, is left out: scrolling up brings it anew.
 */
function withOlder(session: SessionState, firstItem: number, items: SessionState['items']): SessionState {
  const missing = items.slice(0, Math.max(0, session.firstItem - firstItem))
  const isWhole = missing.length > 0 && firstItem + missing.length === session.firstItem
  if (!isWhole || missing.some((item) => item.kind === 'call' && item.endedAt === null)) return session
  return { ...session, firstItem, items: [...missing, ...session.items] }
}
