import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { Spool } from '../../agent/ports/tool.ts'
import { makeTemporaryFolder } from '../../environment/temporary-folder.ts'
import { type BlobFiles, blobPath } from './blob-files.ts'
import { createSpool } from './spool.ts'

/** Large outputs, kept for the lifetime of a process that has no store. The folder is created with the first output. */
export interface TemporaryBlobs {
  openSpool(): Spool
  /** Throws if there is no such output. */
  get(hash: BlobHash): Uint8Array
  remove(): void
}

export function createTemporaryBlobs(): TemporaryBlobs {
  const small = new Map<BlobHash, Uint8Array>()
  let files: BlobFiles | null = null
  const opened = (): BlobFiles => {
    const folder = makeTemporaryFolder('blobs')
    const partial = join(folder, 'partial')
    mkdirSync(partial)
    return { folder, partial, holder: String(process.pid) }
  }
  return {
    openSpool: () =>
      createSpool({ files: (files ??= opened()), write: (work) => work(), putSmall: (hash, bytes) => small.set(hash, bytes) }),
    get(hash) {
      const bytes = small.get(hash) ?? (files && readFileSync(blobPath(files, hash)))
      if (!bytes) throw new Error(`No stored content has the hash ${hash}.`)
      return bytes
    },
    remove() {
      if (files) rmSync(files.folder, { recursive: true, force: true, maxRetries: 3 })
      files = null
    },
  }
}
