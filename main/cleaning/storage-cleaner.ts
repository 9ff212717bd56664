import type { CleanOutcome, DeletionOutcome, StorageReport, Weight } from '../../shared/api/storage.ts'
import type { SessionSummary } from '../../shared/api/sessions.ts'
import type { BlobHash, SessionId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { StorageJob, StorageReply, StorageThread } from '../store/cleaning/storage-thread.ts'

export interface StorageCleanerParts {
  /** Null if nothing is on disk in this run. */
  readonly thread: StorageThread | null
  readonly store: {
    readonly sessions: {
      get(sessionId: SessionId): SessionSummary | null
      list(): readonly SessionSummary[]
      unfinished(): Promise<readonly SessionId[]>
      marked(name: string): ReadonlyMap<SessionId, string>
    }
    readonly claims: {
      acquire(sessionId: SessionId): Result<unknown, Trouble>
      release(sessionId: SessionId): void
      running(): ReadonlySet<SessionId>
      holder(sessionId: SessionId): { readonly here: boolean } | null
    }
    readonly blobs: { recentlyPut(): readonly BlobHash[] }
    isShared(): boolean
    /** Drops what this process remembers about deleted sessions, and notifies the session lists. */
    forget(sessionIds: readonly SessionId[]): void
  }
  /** Closes a session that is open in this process. */
  discard(sessionId: SessionId): Promise<void>
  /** Puts what these sessions changed in their layers into a bin. Rejects with an `Error` that says why if that fails. */
  binLayers(sessionIds: readonly SessionId[]): Promise<void>
  /** Removes these sessions from the search index. */
  forgetTexts(sessionIds: readonly SessionId[]): Promise<void>
  /** Removes these subagents' own copies of the folder, and the conversations of these sessions that were written to files for hooks. */
  removeCopies(sessionIds: readonly SessionId[]): Promise<void>
  readonly isPinned: (sessionId: SessionId) => boolean
}

/** Deletes sessions and frees their disk space. Everything slow happens in a thread. Space is freed only while no turn runs. */
export interface StorageCleaner {
  /** Bytes of all files on disk. */
  size(): Promise<Result<number, Trouble>>
  measure(): Promise<Result<StorageReport, Trouble>>
  weigh(sessionIds: readonly SessionId[]): Promise<Result<Weight, Trouble>>
  /** `shown`: the `Weight` that the user saw and agreed to. */
  delete(sessionIds: readonly SessionId[], shown: Weight): Promise<DeletionOutcome>
  clean(): Promise<CleanOutcome>
  close(): Promise<void>
}

/** How often to check whether space can be freed after a deletion during a turn, in ms. */
const LOOK_EVERY_MS = 5_000

export function createStorageCleaner(parts: StorageCleanerParts): StorageCleaner {
  const { thread, store } = parts
  const work = createWork(parts)
  const { ask, sweep, vacuum, turnRuns } = work
  const space = createSpace(store, work)
  const weighed = async (sessionIds: readonly SessionId[]) => {
    const reply = await ask({ kind: 'weigh', sessionIds })
    if (reply.kind !== 'weigh') throw new CleaningFailed('The sessions were not measured.')
    return reply
  }
  return {
    size: () =>
      orTrouble(async () => {
        const reply = await ask({ kind: 'size' })
        if (reply.kind !== 'done') throw new CleaningFailed('Nothing was measured.')
        return reply.bytes
      }),
    measure: () =>
      orTrouble(async () => {
        // Deletes what a failed fork or import left. If that fails, for example on a full disk, the sizes are measured anyway.
        await thread?.ask({ kind: 'unfinished' })
        const reply = await ask({ kind: 'measure' })
        if (reply.kind !== 'measure') throw new CleaningFailed('Nothing was measured.')
        return reply.report
      }),
    weigh: (sessionIds) => orTrouble(async () => (await weighed(sessionIds)).weight),
    async delete(asked, shown) {
      const outcome = await orTrouble<DeletionOutcome>(async () => {
        const { weight, sessionIds, blobs } = await weighed(asked)
        const trouble = refusalOf(sessionIds, parts)
        if (trouble) return { kind: 'refused', trouble }
        if (weight.events !== shown.events || weight.blobs !== shown.blobs) return { kind: 'changed', weight }
        for (const sessionId of sessionIds) await parts.discard(sessionId)
        if (!claimedAll(store.claims, sessionIds)) return { kind: 'refused', trouble: RUNS_ELSEWHERE }
        const kept = await parts.binLayers(sessionIds).then(
          () => null,
          (error: unknown) => notBinned(error instanceof Error ? error.message : String(error)),
        )
        if (kept !== null) {
          for (const sessionId of sessionIds) store.claims.release(sessionId)
          return { kind: 'refused', trouble: kept }
        }
        await ask({ kind: 'delete', sessionIds })
        store.forget(sessionIds)
        await parts.forgetTexts(sessionIds)
        await parts.removeCopies(sessionIds)
        await space.free(blobs)
        return { kind: 'deleted', freed: weight }
      })
      return outcome.ok ? outcome.value : { kind: 'refused', trouble: outcome.failure }
    },
    async clean() {
      const outcome = await orTrouble<CleanOutcome>(async () => {
        const before = await ask({ kind: 'measure' })
        // The measurement can take seconds. A turn or another process may have started in that time.
        if (await turnRuns()) return { kind: 'refused', trouble: TURN_RUNS }
        if (store.isShared()) return { kind: 'refused', trouble: SHARED }
        const freed = await sweep(null)
        const now = await vacuum()
        const was = before.kind === 'measure' ? before.report.database : now
        return { kind: 'cleaned', freed, shrunk: Math.max(0, was - now) }
      })
      return outcome.ok ? outcome.value : { kind: 'refused', trouble: outcome.failure }
    },
    async close() {
      space.close()
      await thread?.close()
    },
  }
}

/** Frees the space of deleted sessions: immediately, or as soon as no turn runs and no other process uses the history. */
function createSpace(store: StorageCleanerParts['store'], { sweep, vacuum, turnRuns }: ReturnType<typeof createWork>) {
  /** Blobs of deleted sessions that cannot be removed yet. */
  let left: readonly string[] = []
  /** Whether the database file was compacted after the last deletion. Compacting locks the database for other processes. */
  let isCompact = false
  let timer: NodeJS.Timeout | undefined
  const tidy = async (): Promise<void> => {
    if (await turnRuns()) return
    if (left.length > 0 && store.isShared()) {
      if (!isCompact) await vacuum()
      isCompact = true
      return
    }
    clearInterval(timer)
    const blobs = left
    left = []
    if (blobs.length > 0) await sweep(blobs)
    await vacuum()
  }
  return {
    async free(blobs: readonly string[]): Promise<void> {
      left = [...left, ...blobs]
      isCompact = false
      await tidy()
      if (left.length === 0) return
      clearInterval(timer)
      timer = setInterval(() => void tidy().catch(() => {}), LOOK_EVERY_MS)
      timer.unref()
    },
    close: () => clearInterval(timer),
  }
}

/** Why the sessions cannot be deleted now. Null if they can. */
function refusalOf(sessionIds: readonly SessionId[], { store, isPinned }: StorageCleanerParts): Trouble | null {
  if (sessionIds.some(isPinned)) return PINNED
  const found = sessionIds.flatMap((sessionId) => store.sessions.get(sessionId) ?? [])
  if (found.some(({ run }) => run === 'PROCESSING' || run === 'AWAITING_INPUT')) return STILL_WORKS
  return sessionIds.some((sessionId) => store.claims.holder(sessionId)?.here === false) ? RUNS_ELSEWHERE : null
}

/** Claims the sessions, so that no other process takes one over in the meantime. The deletion removes the claims with the sessions. */
function claimedAll(claims: StorageCleanerParts['store']['claims'], sessionIds: readonly SessionId[]): boolean {
  const refused = sessionIds.findIndex((sessionId) => !claims.acquire(sessionId).ok)
  if (refused >= 0) for (const sessionId of sessionIds.slice(0, refused)) claims.release(sessionId)
  return refused < 0
}

function createWork({ thread, store }: StorageCleanerParts) {
  const ask = async (job: StorageJob): Promise<Exclude<StorageReply, { kind: 'failed' }>> => {
    const reply = thread ? await thread.ask(job) : ({ kind: 'failed', message: 'Nothing is on disk in this run.' } as const)
    if (reply.kind === 'failed') throw new CleaningFailed(reply.message)
    return reply
  }
  const turnRuns = async (): Promise<boolean> => {
    const running = store.claims.running()
    return (await store.sessions.unfinished()).some((sessionId) => running.has(sessionId))
  }
  const sweep = async (blobs: readonly string[] | null): Promise<number> => {
    const reply = await ask({ kind: 'sweep', blobs, kept: store.blobs.recentlyPut() })
    return reply.kind === 'done' ? reply.bytes : 0
  }
  /** Stops between two steps when a turn starts. */
  const vacuum = async (): Promise<number> => {
    for (;;) {
      const reply = await ask({ kind: 'vacuum' })
      if (reply.kind !== 'vacuum') throw new CleaningFailed('The database was not compacted.')
      if (!reply.more || (await turnRuns())) return reply.database
    }
  }
  return { ask, sweep, vacuum, turnRuns }
}

class CleaningFailed extends Error {}

async function orTrouble<T>(work: () => Promise<T>): Promise<Result<T, Trouble>> {
  try {
    return ok(await work())
  } catch (error) {
    if (!(error instanceof CleaningFailed)) throw error
    return failed(notDone(error.message))
  }
}

const notDone = (message: string): Trouble => ({
  code: 'storage_not_cleaned',
  what: `The storage could not be read or cleaned: ${message}`,
  kept: 'Every session that is still in the list is kept, with everything that it needs.',
  todo: 'Try again. If it fails again, restart Countersign.',
})

const notBinned = (why: string): Trouble => ({
  code: 'layer_not_binned',
  what: `What the session changed in its layer could not be put into the bin, so nothing was deleted: ${why}`,
  kept: 'All sessions and their layers are unchanged.',
  todo: 'Mend the cause, or drop the layer first with: npm run -s agent -- layers drop SESSION_ID',
})

const PINNED: Trouble = {
  code: 'session_pinned',
  what: 'A pinned session cannot be deleted.',
  kept: 'All sessions are unchanged.',
  todo: 'Unpin the session first.',
}

const STILL_WORKS: Trouble = {
  code: 'session_works',
  what: 'The agent is still working in this session, so nothing was deleted.',
  kept: 'All sessions are unchanged.',
  todo: 'Stop the turn or wait for it to end, then delete the session.',
}

const RUNS_ELSEWHERE: Trouble = {
  code: 'runs_elsewhere',
  what: 'Another Countersign process runs this session, so nothing was deleted.',
  kept: 'All sessions are unchanged.',
  todo: 'Delete the session in that process, or close it there first.',
}

const SHARED: Trouble = {
  code: 'storage_shared',
  what: 'Another Countersign process uses this history and may be about to store something that looks unused, so nothing was cleaned up.',
  kept: 'Everything is unchanged.',
  todo: 'Close the other window or stop the other run, then clean up.',
}

const TURN_RUNS: Trouble = {
  code: 'turn_runs',
  what: 'A turn is running, so nothing was cleaned up.',
  kept: 'Everything is unchanged.',
  todo: 'Wait for it to end, then clean up.',
}
