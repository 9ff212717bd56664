import { resolve } from 'node:path'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { retryWhileLocked } from '../../agent/record/retry-while-locked.ts'
import { StorageError } from '../../agent/storage-error.ts'
import type { InterruptedImport } from '../../store/log/incomplete-sessions.ts'
import type { Store } from '../../store/store.ts'
import { isUnchanged } from './transcript.ts'
import type { ImportParts } from './import-session.ts'

/** An import that ends its process each time must not do so at every launch. */
const MAX_TRIES = 3

/** The imports that this process finishes because the process that began them was killed. */
export interface FinishedImports {
  /**
   * The import of this file that this process finishes or has finished; null if there is none. Given only once, so that importing the file
   * yet again makes another session. It resolves with null if the import failed, and never rejects.
   */
  take(path: string): Promise<SessionId | null> | null
  /** Resolves when all of them have ended. */
  readonly ended: Promise<unknown>
  readonly troubles: readonly Trouble[]
}

/**
 * Takes over the interrupted imports whose files are unchanged. All others remain incomplete. Call this before anything takes over sessions
 * of dead processes or deletes incomplete ones.
 */
export async function takeOverImports(store: Pick<Store, 'sessions' | 'claims' | 'trouble'>): Promise<readonly InterruptedImport[]> {
  const taken: InterruptedImport[] = []
  if (store.trouble() !== null) return taken
  for (const { origin, sessionIds } of store.sessions.interruptedImports()) {
    if (origin.tries >= MAX_TRIES || !(await isUnchanged(origin))) continue
    const again = { origin: { ...origin, tries: origin.tries + 1 }, sessionIds }
    if (await retryWhileLocked(() => isTaken(again, store)).catch(falseIfStorageFails)) taken.push(again)
  }
  return taken
}

/** Another process that starts at the same time may be faster; then nothing is taken. */
function isTaken({ origin, sessionIds }: InterruptedImport, { sessions, claims }: Pick<Store, 'sessions' | 'claims'>): boolean {
  if (!sessionIds.every((sessionId) => claims.acquire(sessionId).ok)) return false
  sessions.importBegins(sessionIds, origin)
  return true
}

function falseIfStorageFails(error: unknown): false {
  if (error instanceof StorageError) return false
  throw error
}

/**
 * Finishes the imports one after the other, in slices. If `inBackground`, returns at once. Without a window, nobody would see that a
 * session is not complete yet.
 */
export async function finishImports(
  imports: readonly InterruptedImport[],
  parts: ImportParts,
  inBackground: boolean,
): Promise<FinishedImports> {
  const finishing = new Map<string, Promise<SessionId | null>>()
  let ended: Promise<unknown> = Promise.resolve()
  for (const begun of imports) {
    const one = ended.then(() => finish(begun, parts))
    finishing.set(begun.origin.path, one)
    ended = one
  }
  if (!inBackground) await ended
  return {
    take(path) {
      const found = finishing.get(resolve(path)) ?? null
      finishing.delete(resolve(path))
      return found
    },
    ended,
    troubles: imports.map(({ origin }) => goesOn(origin.path)),
  }
}

async function finish(begun: InterruptedImport, parts: ImportParts): Promise<SessionId | null> {
  // The modules are loaded only if there is something to finish, because nearly all launches do not need them.
  const { readTranscript } = await import('./read-transcript.ts')
  const { importSession } = await import('./import-session.ts')
  const read = await readTranscript(begun.origin.path)
  // The files of subagents may have changed although the session's own file has not.
  if (!read.ok || read.value.sessions.length !== begun.sessionIds.length) {
    await parts.store.sessions.dropIncomplete(begun.sessionIds)
    return null
  }
  // The store reports its own failures, and then the half-imported sessions are no longer listed.
  return (await importSession(read.value, parts, begun).catch(falseIfStorageFails)) || null
}

const goesOn = (path: string): Trouble => ({
  code: 'import_goes_on',
  what: `The import of ${path} was interrupted. It goes on where it stopped.`,
  kept: 'Everything that was already imported is kept.',
  todo: 'No action needed. Do not import the file again.',
})
