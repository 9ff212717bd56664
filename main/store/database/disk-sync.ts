import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Disposable } from '../../../shared/lib/disposable.ts'

/**
 * Syncs commits to the disk without blocking the process. A commit survives a crash of the process at once, and a power cut once the journal
 * is synced. A sync takes 0.2 ms on a quiet disk, and hundreds of milliseconds while other programs write a lot.
 */
export interface DiskSync extends Disposable {
  /** Call it after each commit. It syncs the commit a few milliseconds later. `onFailed` is called with the system's error if that fails. */
  wrote(onFailed: (error: unknown) => void): void
  /** Syncs now. Resolves when every commit before the call survives a power cut. Rejects with the system's error. */
  done(): Promise<void>
  /** Whether a sync has failed and `rewrite` has not succeeded since. */
  isBroken(): boolean
}

/** For stores without a journal of their own: in memory, or read-only. */
export const NO_DISK_SYNC: DiskSync = {
  wrote: () => {},
  done: () => Promise.resolve(),
  isBroken: () => false,
  dispose: () => {},
}

/** How long, in ms, a commit waits for others to be synced with it. A power cut in that time loses only commits that nobody waits for. */
const TOGETHER_MS = 10

const inThread = promisify(fdatasync)

export interface DiskSyncParts {
  /**
   * The path of SQLite's journal (`-wal`), which exists from the first commit until the database is closed. Any handle of the file can sync
   * it.
   */
  readonly journal: string
  /**
   * Writes all commits to the database's file and syncs that file. Returns whether it succeeded. Called after a failed sync, because Linux
   * then marks the unwritten pages as clean, and another sync of the journal would succeed without having written them.
   */
  rewrite(): boolean
  readonly sync?: ((fd: number) => Promise<void>) | undefined
}

export function createDiskSync({ journal, rewrite, sync = inThread }: DiskSyncParts): DiskSync {
  let fd: number | null = null
  let written = 0
  let synced = 0
  let running: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null
  let failure: Error | null = null
  const open = (): number => {
    // Windows syncs only files that were opened for writing.
    fd ??= openSync(journal, 'r+')
    return fd
  }
  const close = (): void => {
    if (fd !== null) closeSync(fd)
    fd = null
  }

  const next = async (): Promise<void> => {
    const upTo = written
    if (failure === null) {
      try {
        await sync(open())
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error))
      }
    }
    if (failure !== null && !rewrite()) throw failure
    failure = null
    synced = Math.max(synced, upTo)
  }
  const run = (): Promise<void> => (running ??= next().finally(() => (running = null)))
  const done = async (): Promise<void> => {
    const wanted = written
    while (synced < wanted) await run()
  }
  return {
    wrote(onFailed) {
      written++
      timer ??= setTimeout(() => {
        timer = null
        done().catch(onFailed)
      }, TOGETHER_MS).unref()
    },
    done,
    isBroken: () => failure !== null,
    dispose() {
      if (timer) clearTimeout(timer)
      try {
        if (synced < written) fdatasyncSync(open())
      } catch {
        // Closing the database writes the journal into the file, and reports a failing disk.
      }
      synced = written
      if (running === null) close()
      else void running.catch(() => {}).finally(close)
    },
  }
}
