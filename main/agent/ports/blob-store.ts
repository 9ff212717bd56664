import type { BlobHash } from '../../../shared/lib/ids.ts'

/** Content-addressed bytes. The same bytes are stored once. `put` returns when they are on disk. */
export interface BlobStore {
  put(bytes: Uint8Array): BlobHash
  /** Throws if the blob is missing or does not match its hash. */
  get(hash: BlobHash): Uint8Array
  has(hash: BlobHash): boolean
  /** Like `put`, for content of any size: other work can run in between. The bytes must not change before it resolves. */
  putInSlices(bytes: Uint8Array): Promise<BlobHash>
  /** Like `get`, for content of any size: other work can run in between. Rejects if `get` throws. */
  getInSlices(hash: BlobHash): Promise<Uint8Array>
}
