import { eventLoopTurn } from '../event-loop-slices.ts'
import { StorageError } from '../storage-error.ts'

/**
 * Maximum wait for another process's write lock, in ms. A write takes a millisecond, so a longer wait means that the other process hangs.
 */
export const LOCK_TIMEOUT_MS = 2_000
/** Time between tries, in ms. Only a few of them block for the lock (see `guarded-access.ts`). */
export const LOCK_RETRY_MS = 25

const isLocked = (error: unknown): error is StorageError => error instanceof StorageError && error.trouble.code === 'storage_locked'

/**
 * Retries while another process is writing, without blocking this process. If the lock is not released in time, throws the storage error.
 */
export async function retryWhileLocked<T>(work: () => T): Promise<T> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isLocked(error) || performance.now() >= deadline) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS))
    // Sessions that began to wait together retry in separate event loop turns.
    await eventLoopTurn()
  }
}
