import type { Done, SessionSummary } from '../../shared/api/sessions.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { StorageCleaner } from './storage-cleaner.ts'

export interface EmptySessionParts {
  readonly store: { readonly sessions: { get(sessionId: SessionId): SessionSummary | null } }
  readonly cleaner: Pick<StorageCleaner, 'weigh' | 'delete'>
}

/** Deletes a session without messages. Any other session is kept. */
export async function deleteEmptySession({ store, cleaner }: EmptySessionParts, sessionId: SessionId): Promise<Done> {
  const session = store.sessions.get(sessionId)
  if (session === null) return { ok: true }
  if (session.title !== '' || session.run !== 'IDLE') return { ok: false, trouble: NOT_EMPTY }
  const weighed = await cleaner.weigh([sessionId])
  if (!weighed.ok) return { ok: false, trouble: weighed.failure }
  const outcome = await cleaner.delete([sessionId], weighed.value)
  return outcome.kind === 'deleted' ? { ok: true } : { ok: false, trouble: outcome.kind === 'refused' ? outcome.trouble : NOT_EMPTY }
}

const NOT_EMPTY: Trouble = {
  code: 'session_not_empty',
  what: 'The session is in use, so it was not deleted.',
  kept: 'The session is unchanged.',
  todo: 'No action needed.',
}
