import type { SessionSummary } from '../../shared/api/sessions.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Result } from '../../shared/lib/result.ts'
import { tryAll } from '../../shared/lib/try-all.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { LoopParts } from '../agent/loop.ts'
import type { Clock } from '../agent/ports/clock.ts'
import { createPromptAndTools } from '../agent/answer/prompt-and-tools.ts'
import { recover } from '../agent/record/recovery.ts'
import { retryWhileLocked } from '../agent/record/retry-while-locked.ts'
import type { SessionRecord } from '../agent/record/session-record.ts'
import { type Session, takeOverSession } from '../agent/session.ts'
import { StorageError } from '../agent/storage-error.ts'
import type { Undo } from '../changes/undo/undo.ts'
import type { SessionStore } from './session-store.ts'

/** Everything that a session needs to run. `close` releases its workspace. */
export interface SessionRuntime extends Omit<LoopParts, 'record' | 'clock' | 'contexts'> {
  readonly undo: Undo
  /** Whether a subagent, a background command or a persistent shell still needs the runtime, even without a turn. */
  isInUse(): boolean
  close(): Promise<void>
}

export interface RunningParts {
  readonly store: SessionStore
  readonly clock: Clock
  /** Fails if the session cannot work now because its folder is gone or not trusted. Its history can still be read. */
  runtimeFor(session: SessionSummary): Promise<Result<SessionRuntime, Trouble>>
}

/** Where a session runs: here, in another process, or nowhere, because of `trouble`. */
export type Place =
  | { readonly kind: 'here'; readonly session: Session; readonly runtime: SessionRuntime }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'nowhere'; readonly trouble: Trouble }

/** This process's part in running a session. */
export interface RunningPlace {
  /** Where the session ran when it was last looked at. */
  now(): Place
  /** Runs the session here if no live process does. Rejects if the session was deleted or cannot be read. */
  runHere(): Promise<Place>
  /** Stops what runs here and releases the claim. `before` is awaited first. */
  close(how: 'end' | 'suspend', before: () => Promise<void>): Promise<void>
}

export function createRunningPlace(parts: RunningParts, record: SessionRecord, summary: SessionSummary): RunningPlace {
  const { store } = parts
  const { sessionId } = record
  let place: Place = { kind: 'elsewhere' }
  let coming: Promise<Place> | null = null
  let isClosed = false
  return {
    now: () => place,
    async runHere() {
      if (isClosed) return { kind: 'nowhere', trouble: CLOSED_HERE }
      if (place.kind === 'here') return place
      coming ??= takenOver(parts, record, summary).finally(() => (coming = null))
      place = await coming
      return place
    },
    async close(how, before) {
      isClosed = true
      const last = coming ? await coming : place
      if (last.kind !== 'here') return record.dispose()
      const { session, runtime } = last
      const stop = (): Promise<void> => (how === 'end' ? session.close() : session.suspend())
      await tryAll(before, stop, runtime.close, () => giveBack(store, sessionId), record.dispose)
    },
  }
}

async function takenOver(parts: RunningParts, record: SessionRecord, summary: SessionSummary): Promise<Place> {
  const { store } = parts
  const { sessionId } = record
  if (!(await acquired(store, sessionId))) return { kind: 'elsewhere' }
  try {
    if (store.sessions.get(sessionId) === null) throw new StorageError(DELETED)
    return await started(parts, record, summary)
  } catch (error) {
    // Another process may be able to run the session.
    giveBack(store, sessionId)
    throw error
  }
}

async function started({ store, clock, runtimeFor }: RunningParts, record: SessionRecord, summary: SessionSummary): Promise<Place> {
  const found = await runtimeFor(summary)
  if (!found.ok) {
    await recover(record, null, new AbortController().signal)
    giveBack(store, record.sessionId)
    return { kind: 'nowhere', trouble: found.failure }
  }
  const runtime = found.value
  try {
    const contexts = createPromptAndTools(record, runtime.dispatch.blobs)
    const session = await takeOverSession({ ...runtime, record, clock, contexts })
    await runtime.undo.finish(record)
    return { kind: 'here', session, runtime }
  } catch (error) {
    await runtime.close()
    throw error
  }
}

/**
 * Tries to get the claim. False if another process has it. While claims cannot be stored, a session that no process has claimed runs
 * without a claim, and its data is kept in memory.
 */
async function acquired(store: SessionStore, sessionId: SessionId): Promise<boolean> {
  try {
    return (await retryWhileLocked(() => store.claims.acquire(sessionId))).ok
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    return !heldByOther(store, sessionId)
  }
}

function heldByOther(store: SessionStore, sessionId: SessionId): boolean {
  try {
    return store.claims.holder(sessionId)?.here === false
  } catch (error) {
    if (error instanceof StorageError) return false
    throw error
  }
}

/** If a claim cannot be released, it expires with this process. */
function giveBack(store: SessionStore, sessionId: SessionId): void {
  try {
    store.claims.release(sessionId)
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
  }
}

const DELETED: Trouble = {
  code: 'session_deleted',
  what: 'This session was deleted by another Countersign process.',
  kept: 'All other sessions and all files in the folder are unchanged.',
  todo: 'Send your message in a new session.',
}

/** The failure for a caller that still uses the object of a closed session. */
const CLOSED_HERE: Trouble = {
  code: 'session_closed_here',
  what: 'The session was closing.',
  kept: 'The history of the session is unchanged.',
  todo: 'Try again.',
}
