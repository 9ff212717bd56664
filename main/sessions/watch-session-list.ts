import type { SessionListItem, SessionSummary } from '../../shared/api/sessions.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { SessionStore } from './session-store.ts'

/**
 * Yields all sessions, and then each session that changes, in any process. If the consumer is slower than the changes, they are merged.
 */
export async function* watchSessionList(
  store: Pick<SessionStore, 'sessions' | 'subscribeAll' | 'onRemoved'>,
  signal: AbortSignal,
): AsyncGenerator<SessionListItem> {
  const changed = new Map<SessionId, SessionSummary>()
  const removed: SessionId[] = []
  let wake: () => void = () => {}
  const subscription = store.subscribeAll((session) => {
    changed.set(session.sessionId, session)
    wake()
  })
  const removing = store.onRemoved((sessionIds) => {
    for (const sessionId of sessionIds) changed.delete(sessionId)
    removed.push(...sessionIds)
    wake()
  })
  const end = (): void => wake()
  signal.addEventListener('abort', end)
  try {
    yield { kind: 'all', sessions: await store.sessions.listInSlices(), unreadable: null }
    while (!signal.aborted) {
      const gone = removed.shift()
      if (gone) {
        yield { kind: 'removed', sessionId: gone }
        continue
      }
      const [next] = changed.values()
      if (next) {
        changed.delete(next.sessionId)
        yield { kind: 'changed', session: next }
        continue
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      if (changed.size === 0 && removed.length === 0 && !signal.aborted) await promise
    }
  } finally {
    signal.removeEventListener('abort', end)
    subscription.dispose()
    removing.dispose()
  }
}
