import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { Spool } from '../../../main/agent/ports/tool.ts'
import { type BlobFiles, blobPath } from '../../../main/store/blobs/blob-files.ts'
import { createSpool } from '../../../main/store/blobs/spool.ts'

/** Large outputs, kept in this folder for the lifetime of a process that has no store. */
export interface TemporaryBlobs {
  openSpool(): Spool
  /** Throws if there is no such output. */
  get(hash: BlobHash): Uint8Array
  remove(): void
}

export function createTemporaryBlobs(folder: string): TemporaryBlobs {
  const small = new Map<BlobHash, Uint8Array>()
  const partial = join(folder, 'partial')
  mkdirSync(partial)
  const files: BlobFiles = { folder, partial, holder: String(process.pid) }
  return {
    openSpool: () => createSpool({ files, write: (work) => work(), putSmall: (hash, bytes) => small.set(hash, bytes) }),
    get: (hash) => small.get(hash) ?? readFileSync(blobPath(files, hash)),
    remove() {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
