import { Emitter } from '../../../shared/lib/emitter.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { StorageError } from '../../agent/storage-error.ts'
import type { Connection } from './connection.ts'
import { BUSY_TIMEOUT_MS } from './database.ts'
import type { DiskSync } from './disk-sync.ts'
import { asStorageError } from './storage-trouble.ts'

/**
 * While the store is locked, only one write per this many ms waits for the lock, so that at most a twelfth of the time is spent waiting.
 */
const BLOCKED_EVERY_MS = 12 * BUSY_TIMEOUT_MS

/**
 * All reads and writes use `read` and `write`, so that every failure gets its message and the desk knows whether saving works. While
 * another process has the lock, only some writes wait for it and all others fail immediately, so that many sessions together do not block
 * the main process.
 */
export function createGuardedAccess(db: Connection, file: string, readOnly: Trouble | null, disk: DiskSync) {
  const emitter = new Emitter<Trouble | null>()
  let trouble = readOnly
  const set = (now: Trouble | null): void => {
    if (now?.code === trouble?.code) return
    trouble = now
    emitter.fire(now)
  }
  /** The time when a write last waited for the lock without getting it; null if the store is not locked. */
  let waitedAt: number | null = null
  let timeout: number = BUSY_TIMEOUT_MS
  const waitAtMost = (ms: number): void => {
    if (ms !== timeout) db.pragma(`busy_timeout = ${ms}`)
    timeout = ms
  }
  const tried = (isLocked: boolean): void => {
    if (!isLocked) waitedAt = null
    else if (timeout > 0) waitedAt = performance.now()
  }
  const failed = (error: unknown): StorageError => {
    const failure = asStorageError(error, file)
    // A deleted session does not keep the other sessions from being saved, so the store reports no trouble.
    if (failure.trouble.code !== 'storage_deleted') set(failure.trouble)
    return failure
  }
  return {
    failed,
    write<T>(work: () => T): T {
      if (readOnly) throw new StorageError(readOnly)
      waitAtMost(waitedAt !== null && performance.now() - waitedAt < BLOCKED_EVERY_MS ? 0 : BUSY_TIMEOUT_MS)
      let value: T
      try {
        value = work()
      } catch (error) {
        const failure = failed(error)
        tried(failure.trouble.code === 'storage_locked')
        throw failure
      }
      tried(false)
      if (!disk.isBroken()) set(null)
      disk.wrote(failed)
      return value
    },
    read<T>(work: () => T): T {
      try {
        return work()
      } catch (error) {
        throw asStorageError(error, file)
      }
    },
    /** Resolves when every write survives a power cut. Rejects with a `StorageError`. */
    onDisk: (): Promise<void> =>
      disk.done().catch((error: unknown) => {
        throw failed(error)
      }),
    health: {
      get trouble() {
        return trouble
      },
      onTrouble: emitter.event,
    },
  }
}
