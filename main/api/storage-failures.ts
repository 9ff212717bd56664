import type { Trouble } from '../../shared/session/events.ts'
import { StorageError } from '../agent/storage-error.ts'

/**
 * Runs the work of an API command. If storage fails, returns the result of `otherwise`, because such a failure is expected and not a bug in
 * the handler.
 */
export async function unlessStorageFails<T>(work: () => T | Promise<T>, otherwise: (trouble: Trouble) => T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StorageError) return otherwise(error.trouble)
    throw error
  }
}

/** Forwards a stream. After a storage failure, the stream ends with `last`. */
export async function* unlessStreamFails<T>(stream: AsyncIterable<T>, last: (trouble: Trouble) => T): AsyncGenerator<T> {
  try {
    yield* stream
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    yield last(error.trouble)
  }
}
