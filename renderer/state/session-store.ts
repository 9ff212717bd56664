import { createStore, type StoreApi } from 'zustand/vanilla'
import { assertNever } from '../../shared/lib/assert-never.ts'
import { type Disposable, disposable } from '../../shared/lib/disposable.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { AnyEnvelope } from '../../shared/session/events.ts'
import { foldAll } from '../../shared/session/fold.ts'
import type { SessionState } from '../../shared/session/state.ts'
import type { SessionStreamItem } from '../../shared/api/sessions.ts'
import type { Connection } from './connection.ts'
import { FrameBatch } from './frame-batch.ts'

/** One open session in this window. `session` is null until the first snapshot. */
export interface OpenSession {
  readonly session: SessionState | null
  /** Older entries are on their way. */
  readonly loadingOlder: boolean
}

export interface SessionStore extends Disposable {
  readonly store: StoreApi<OpenSession>
  /** Brings the page before the oldest entry held; does nothing while one is coming or when all are here. */
  loadOlder(): Promise<void>
}

/** Entries asked for at once when somebody scrolls up. */
const PAGE = 200

/** Follows a session: a snapshot first, then every event, folded once per frame. After a break it goes on from its cursor. */
export function followSession(connection: Connection, sessionId: SessionId): SessionStore {
  const store = createStore<OpenSession>(() => ({ session: null, loadingOlder: false }))
  const batch = new FrameBatch<AnyEnvelope>((envelopes) => {
    const { session } = store.getState()
    if (session) store.setState({ session: foldAll(session, envelopes) })
  })
  const subscription = connection.keep(async (client, signal) => {
    const cursor = store.getState().session?.cursor ?? null
    for await (const item of client.sessions.open({ sessionId, cursor }, signal)) receive(item, store, batch)
  })
  return {
    store,
    async loadOlder() {
      const { session, loadingOlder } = store.getState()
      if (!session || loadingOlder || session.firstItem === 0 || !connection.client) return
      store.setState({ loadingOlder: true })
      try {
        const page = await connection.client.sessions.page({ sessionId, before: session.firstItem, limit: PAGE })
        prepend(store, page.firstItem, page.items)
      } finally {
        store.setState({ loadingOlder: false })
      }
    },
    ...disposable(() => {
      subscription.dispose()
      batch.dispose()
    }),
  }
}

function receive(item: SessionStreamItem, store: StoreApi<OpenSession>, batch: FrameBatch<AnyEnvelope>): void {
  switch (item.kind) {
    case 'snapshot':
      batch.dispose()
      return store.setState({ session: item.state })
    case 'events':
      return batch.push(...item.envelopes)
    case 'reset':
      batch.dispose()
      return store.setState({ session: null })
    default:
      assertNever(item, 'stream item')
  }
}

/** The newest state may have moved on while the page came; only what lies before its first entry is put in front. */
function prepend(store: StoreApi<OpenSession>, firstItem: number, items: SessionState['items']): void {
  const { session } = store.getState()
  if (!session) return
  const missing = items.slice(0, Math.max(0, session.firstItem - firstItem))
  store.setState({ session: { ...session, firstItem: session.firstItem - missing.length, items: [...missing, ...session.items] } })
}
