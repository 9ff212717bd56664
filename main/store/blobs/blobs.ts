import { existsSync, readFileSync } from 'node:fs'
import { BlobHash } from '../../../shared/lib/ids.ts'
import type { BlobStore } from '../../agent/ports/blob-store.ts'
import type { Spool } from '../../agent/ports/tool.ts'
import { hashOf } from '../../agent/blob-hash.ts'
import { StorageError } from '../../agent/storage-error.ts'
import { blobPath, partialPath, sizeOf, SMALL_BLOB, type BlobFiles } from './blob-files.ts'
import type { Connection } from '../database/connection.ts'
import { mayReachDiskLater } from '../database/durability.ts'
import { writeDurably } from './durable-file.ts'
import { createSpool } from './spool.ts'
import { storageTrouble } from '../database/storage-trouble.ts'

export interface Blobs extends BlobStore {
  /** The path of a blob that is a file; null if it is in the database or does not exist. */
  path(hash: BlobHash): string | null
  openSpool(): Spool
  /** Blobs that this process has stored recently. The event that refers to such a blob may not have been written yet. */
  recentlyPut(): readonly BlobHash[]
}

/** Time in ms for which a blob counts as recently stored. */
const RECENT_MS = 10 * 60_000

export interface BlobParts {
  readonly db: Connection
  readonly files: BlobFiles | null
  /** Runs a write. Refuses it if the store is read-only, and converts errors of the storage to a `StorageError`. */
  readonly write: <T>(work: () => T) => T
  readonly read: <T>(work: () => T) => T
}

/**
 * Stores bytes under their hash. A file has been synced to disk when `put` returns. A small blob is in the database's journal before any
 * event that refers to it: it survives the end of the process once `put` returns, and a power cut once the next acknowledged event does.
 */
export function createBlobs({ db, files, write, read }: BlobParts): Blobs {
  const insert = db.prepare('INSERT OR IGNORE INTO blobs (hash, bytes) VALUES (?, ?)')
  const select = db.prepare<[Uint8Array], Buffer>('SELECT bytes FROM blobs WHERE hash = ?').pluck()
  const exists = db.prepare<[Uint8Array], number>('SELECT 1 FROM blobs WHERE hash = ?').pluck()
  const key = (hash: BlobHash): Uint8Array => Buffer.from(hash, 'hex')
  const file = (hash: BlobHash): string | null => {
    // A damaged event may contain any text, and a path built from it could point outside the folder.
    const path = files && BlobHash.safeParse(hash).success ? blobPath(files, hash) : null
    return path && existsSync(path) ? path : null
  }
  const readFile = (hash: BlobHash): Buffer | null => {
    const path = file(hash)
    return path === null ? null : readFileSync(path)
  }
  const recent = new Map<BlobHash, number>()
  const noted = (hash: BlobHash): BlobHash => {
    recent.delete(hash)
    recent.set(hash, performance.now())
    for (const [old, at] of recent) {
      if (performance.now() - at < RECENT_MS) break
      recent.delete(old)
    }
    return hash
  }
  /** Outputs whose files may not be synced yet. Calling `put` with the same bytes syncs them. */
  const unsynced = new Set<BlobHash>()
  const putFile = (parts: BlobFiles, hash: BlobHash, bytes: Uint8Array): void => {
    if (!unsynced.has(hash) && sizeOf(blobPath(parts, hash)) === bytes.length) return
    writeDurably(partialPath(parts), blobPath(parts, hash), bytes)
    unsynced.delete(hash)
  }
  /** Stores a small blob in the database or, while another process has the database locked, as a file. */
  const putSmall = (hash: BlobHash, bytes: Uint8Array): void => {
    try {
      write(() => {
        mayReachDiskLater(db)
        insert.run(key(hash), bytes)
      })
    } catch (error) {
      if (!files || !(error instanceof StorageError) || error.trouble.code !== 'storage_locked') throw error
      read(() => exists.get(key(hash)) === 1 || putFile(files, hash, bytes))
    }
  }

  return {
    put(bytes) {
      const hash = noted(hashOf(bytes))
      if (!files || bytes.length < SMALL_BLOB) putSmall(hash, bytes)
      else write(() => putFile(files, hash, bytes))
      return hash
    },
    get: (hash) =>
      read(() => {
        const bytes = select.get(key(hash)) ?? readFile(hash)
        if (bytes && hashOf(bytes) === hash) return bytes
        throw new StorageError(storageTrouble('storage_missing_blob', hash, bytes ? 'its content has changed' : 'it does not exist'))
      }),
    has: (hash) => read(() => exists.get(key(hash)) === 1 || file(hash) !== null),
    path: file,
    openSpool: () =>
      createSpool({
        ...{ files, write },
        putSmall: (hash, bytes) => putSmall(noted(hash), bytes),
        onUnsynced: (hash) => unsynced.add(noted(hash)),
      }),
    recentlyPut: () => [...recent.keys()],
  }
}
