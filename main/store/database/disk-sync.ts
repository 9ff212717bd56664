import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Disposable } from '../../../shared/lib/disposable.ts'

/**
 * Brings commits to the disk without blocking the process. A commit survives the end of the process as soon as it is made. It survives a
 * power cut once the journal is synced, which takes 0.2 ms on a quiet disk and hundreds of milliseconds while other programs write a lot.
 */
export interface DiskSync extends Disposable {
  /** Call it after each commit. It is synced soon, together with the next ones. */
  wrote(): void
  /** Syncs now. Resolves when every commit before the call survives a power cut. Rejects with the system's error. */
  done(): Promise<void>
}

/** For stores without a journal of their own: in memory, or read-only. */
export const NO_DISK_SYNC: DiskSync = { wrote: () => {}, done: () => Promise.resolve(), dispose: () => {} }

/** Time in ms that a commit waits for further commits. Only what nobody waits for is lost if the power fails in this time. */
const TOGETHER_MS = 10

const inThread = promisify(fdatasync)

/**
 * `journal` is the path of SQLite's journal (`-wal`), which exists from the first commit until the database is closed. Any handle of the
 * file can sync it.
 */
export function createDiskSync(journal: string, sync: (fd: number) => Promise<void> = inThread): DiskSync {
  let fd: number | null = null
  let written = 0
  let synced = 0
  let running: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null

  const next = async (): Promise<void> => {
    const upTo = written
    // Windows syncs only files that were opened for writing.
    fd ??= openSync(journal, 'r+')
    await sync(fd)
    synced = upTo
  }
  const run = (): Promise<void> => (running ??= next().finally(() => (running = null)))
  const done = async (): Promise<void> => {
    const wanted = written
    while (synced < wanted) await run()
  }
  const soon = (): void => {
    timer = null
    // Whoever depends on these commits calls `done` and gets the error.
    void done().catch(() => {})
  }
  return {
    wrote() {
      written++
      timer ??= setTimeout(soon, TOGETHER_MS).unref()
    },
    done,
    dispose() {
      if (timer) clearTimeout(timer)
      try {
        if (synced < written) fdatasyncSync((fd ??= openSync(journal, 'r+')))
      } catch {
        // Closing the database writes the journal into the file, and reports a failing disk.
      }
      if (fd !== null) closeSync(fd)
      fd = null
    },
  }
}
