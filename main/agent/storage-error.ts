import type { Trouble } from '../../shared/session/events.ts'

/**
 * Something could not be stored or read back. Thrown by `EventLog` and `BlobStore` (the comments of these ports say when). Nothing is
 * half-written. `trouble` can be shown unchanged: it says what happened, what was kept and what to do.
 */
export class StorageError extends Error {
  readonly trouble: Trouble

  constructor(trouble: Trouble, cause?: unknown) {
    super(trouble.what, { cause })
    this.name = 'StorageError'
    this.trouble = trouble
  }
}
