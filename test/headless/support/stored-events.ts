import { openStore } from '../../../main/store/open-store.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'

/** Returns the history of a data folder, session by session, read by a process other than the one that wrote it. */
export async function storedEvents(data: string): Promise<readonly DurableEvent[]> {
  const store = await openStore(data)
  if (!store.ok) throw new Error(store.failure.what)
  try {
    return store.value.sessions.list().flatMap(({ sessionId }) => [...store.value.log(sessionId).read()].map(({ event }) => event))
  } finally {
    store.value.close()
  }
}

/** Returns the events of one kind. */
export function kept<K extends DurableEvent['kind']>(
  events: readonly DurableEvent[],
  kind: K,
): readonly Extract<DurableEvent, { kind: K }>[] {
  return events.filter((event): event is Extract<DurableEvent, { kind: K }> => event.kind === kind)
}
