import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SessionStreamItem } from '../../../shared/api/sessions.ts'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import { type Disposable, disposable } from '../../../shared/lib/disposable.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { AnyEnvelope } from '../../../shared/session/events.ts'
import { foldAll } from '../../../shared/session/fold/fold.ts'
import type { Item, SessionState } from '../../../shared/session/state.ts'
import type { Connection } from './connection.ts'
import { FrameBatch } from './frame-batch.ts'

/** One open session in this window. */
export interface OpenSession {
  /** Null until the first snapshot has arrived. */
  readonly session: SessionState | null
  /** Whether the session does not exist in main. */
  readonly isMissing: boolean
  /** Why the ledger was reloaded, until the user dismisses this message. For a missing session, why it is missing. */
  readonly resetWhy: string | null
  /** Whether older entries are being loaded. */
  readonly loadingOlder: boolean
}

export interface SessionStore extends Disposable {
  readonly store: StoreApi<OpenSession>
  /** Loads the page before the oldest loaded entry, unless a page is being loaded or all entries are loaded. */
  loadOlder(): Promise<void>
  /** Keeps only the newest page of entries if many are loaded. Call it only while the end is shown. Scrolling up loads the others again. */
  dropOlder(): void
  /** Dismisses `resetWhy`. */
  forgetReset(): void
}

/** Number of entries that are loaded when the user scrolls up. Mounting 100 entries takes less than 50 ms. */
const PAGE = 100
/** Number of loaded entries above which the oldest may be dropped. Without a limit, a day of work doubles the memory of the page. */
const MANY = 2 * PAGE

/**
 * Maximum number of stored events per frame, about two steps of the agent. Rendering more makes a frame longer than 50 ms. Text deltas
 * share one render.
 */
const EVENTS_PER_FRAME = 24

/**
 * Subscribes to a session: first a snapshot, then every event, applied once per frame. After an interruption it continues from its
 * cursor.
 */
export function followSession(connection: Connection, sessionId: SessionId): SessionStore {
  const store = createStore<OpenSession>(() => ({ session: null, isMissing: false, resetWhy: null, loadingOlder: false }))
  const batch = new FrameBatch<AnyEnvelope>(
    (envelopes) => {
      const { session } = store.getState()
      if (session) store.setState({ session: foldAll(session, envelopes) })
    },
    { isCounted: ({ seq }) => seq !== null, perFrame: EVENTS_PER_FRAME },
  )
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
        // A failure is ignored, because a lost connection is reported elsewhere, and scrolling up tries again.
      } finally {
        store.setState({ loadingOlder: false })
      }
    },
    dropOlder() {
      const { session, loadingOlder } = store.getState()
      if (!session || loadingOlder || session.items.length <= MANY) return
      const { items, firstItem } = session
      const running = items.findIndex(isRunning)
      const count = Math.min(items.length - PAGE, running < 0 ? items.length : running)
      if (count > 0) store.setState({ session: { ...session, firstItem: firstItem + count, items: items.slice(count) } })
    },
    forgetReset: () => store.setState({ resetWhy: null }),
    ...disposable(() => {
      subscription.dispose()
      batch.drop()
    }),
  }
}

/** The cursor to continue from. Null if a turn was running: its live text is not in the log, so the last page is reloaded. */
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

const isRunning = (item: Item): boolean => item.kind === 'call' && item.endedAt === null

/**
 * Inserts older entries, starting at index `firstItem`, if there is no gap between them and the loaded entries. A page with an unfinished
 * call may be outdated and is ignored. Scrolling up loads it again.
 */
function withOlder(session: SessionState, firstItem: number, items: SessionState['items']): SessionState {
  const missing = items.slice(0, Math.max(0, session.firstItem - firstItem))
  const isWhole = missing.length > 0 && firstItem + missing.length === session.firstItem
  if (!isWhole || missing.some(isRunning)) return session
  return { ...session, firstItem, items: [...missing, ...session.items] }
}
