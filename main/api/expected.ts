import type { Trouble } from '../../shared/session/events.ts'
import { StorageError } from '../agent/storage-error.ts'

/** A storage failure is an expected answer, not a bug of the handler. */
export async function unlessStorageFails<T>(work: () => T | Promise<T>, otherwise: (trouble: Trouble) => T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StorageError) return otherwise(error.trouble)
    throw error
  }
}
