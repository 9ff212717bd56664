import { StorageError } from '../storage-error.ts'

/** How long another process's write is waited for in all, in ms: writes take a millisecond, so whoever takes longer hangs. */
export const LOCK_PATIENCE_MS = 2_000
/** Between two tries, in ms. A try blocks only the first time that the store is found locked (see `guards.ts`). */
export const LOCK_RETRY_MS = 25

export const isLocked = (error: unknown): error is StorageError => error instanceof StorageError && error.trouble.code === 'storage_locked'

/** Tries again while another process is writing, without blocking this one; then throws what storage threw. */
export async function patiently<T>(work: () => T): Promise<T> {
  const deadline = performance.now() + LOCK_PATIENCE_MS
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isLocked(error) || performance.now() >= deadline) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS))
  }
}
