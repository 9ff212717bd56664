import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Disposable } from '../../../shared/lib/disposable.ts'

/**
 * Brings commits to the disk without blocking the process. A commit survives the end of the process as soon as it is made. It survives a
 * power cut once the journal is synced, which takes 0.2 ms on a quiet disk and hundreds of milliseconds while other programs write a lot.
 */
export interface DiskSync extends Disposable {
  /** Call it after each commit. It is synced soon, together with the next ones. `onFailed` gets the system's error if it cannot be. */
  wrote(onFailed: (error: unknown) => void): void
  /** Syncs now. Resolves when every commit before the call survives a power cut. Rejects with the system's error. */
  done(): Promise<void>
  /** Whether commits could not be synced, and have not been written again yet. */
  isBroken(): boolean
}

/** For stores without a journal of their own: in memory, or read-only. */
export const NO_DISK_SYNC: DiskSync = {
  wrote: () => {},
  done: () => Promise.resolve(),
  isBroken: () => false,
  dispose: () => {},
}

/** Time in ms that a commit waits for further commits. Only what nobody waits for is lost if the power fails in this time. */
const TOGETHER_MS = 10

const inThread = promisify(fdatasync)

export interface DiskSyncParts {
  /**
   * The path of SQLite's journal (`-wal`), which exists from the first commit until the database is closed. Any handle of the file can sync
   * it.
   */
  readonly journal: string
  /**
   * Writes all commits to the database's file, and syncs that. Returns whether it did. After a failed sync, the system takes what it could
   * not write for written, so another sync of the journal would prove nothing.
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
