import { existsSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { BlobHash } from '../../../shared/lib/ids.ts'
import type { BlobStore } from '../../agent/ports/blob-store.ts'
import type { Spool } from '../../agent/ports/tool.ts'
import { hashInSlices, hashOf } from '../../agent/blob-hash.ts'
import { StorageError } from '../../agent/storage-error.ts'
import { blobPath, partialPath, sizeOf, SMALL_BLOB, type BlobFiles } from './blob-files.ts'
import type { Connection } from '../database/connection.ts'
import { moveDurably, writeDurably, writeTempFile } from './durable-file.ts'
import { createSpool } from './spool.ts'
import { storageTrouble } from '../database/storage-trouble.ts'

export interface Blobs extends BlobStore {
  /** The path of a blob that is a file; null if it is in the database or does not exist. */
  path(hash: BlobHash): string | null
  openSpool(): Spool
  /** Blobs that this process has stored recently. The event that refers to such a blob may not have been written yet. */
  recentlyPut(): readonly BlobHash[]
}

/** Blobs of at least this size (bytes) are hashed in slices and written in Node's threads by `putInSlices`. */
const LARGE_BLOB = 1024 * 1024

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
  const isOnDisk = (parts: BlobFiles, hash: BlobHash, bytes: Uint8Array): boolean =>
    !unsynced.has(hash) && sizeOf(blobPath(parts, hash)) === bytes.length
  const putFile = (parts: BlobFiles, hash: BlobHash, bytes: Uint8Array): void => {
    if (isOnDisk(parts, hash, bytes)) return
    writeDurably(partialPath(parts), blobPath(parts, hash), bytes)
    unsynced.delete(hash)
  }
  /** Stores a small blob in the database or, while another process has the database locked, as a file. */
  const putSmall = (hash: BlobHash, bytes: Uint8Array): void => {
    try {
      write(() => insert.run(key(hash), bytes))
    } catch (error) {
      if (!files || !(error instanceof StorageError) || error.trouble.code !== 'storage_locked') throw error
      read(() => exists.get(key(hash)) === 1 || putFile(files, hash, bytes))
    }
  }
  const blobs: Blobs = {
    put(bytes) {
      const hash = noted(hashOf(bytes))
      if (!files || bytes.length < SMALL_BLOB) putSmall(hash, bytes)
      else write(() => putFile(files, hash, bytes))
      return hash
    },
    get: (hash) =>
      read(() => {
        const bytes = select.get(key(hash)) ?? fileBytes(file(hash))
        if (bytes && hashOf(bytes) === hash) return bytes
        throw new StorageError(storageTrouble('storage_missing_blob', hash, bytes ? 'its content has changed' : 'it does not exist'))
      }),
    has: (hash) => read(() => exists.get(key(hash)) === 1 || file(hash) !== null),
    async putInSlices(bytes) {
      if (!files || bytes.length < LARGE_BLOB) return blobs.put(bytes)
      const hash = noted(await hashInSlices(bytes))
      if (isOnDisk(files, hash, bytes)) return write(() => hash)
      await writeLarge(files, hash, bytes, write)
      unsynced.delete(hash)
      return hash
    },
    async getInSlices(hash) {
      const path = file(hash)
      const large = path === null ? null : await readLarge(path, hash)
      return large ?? blobs.get(hash)
    },
    path: file,
    openSpool: () =>
      createSpool({
        files,
        write,
        putSmall: (hash, bytes) => putSmall(noted(hash), bytes),
        onUnsynced: (hash) => unsynced.add(noted(hash)),
      }),
    recentlyPut: () => [...recent.keys()],
  }
  return blobs
}

const fileBytes = (path: string | null): Buffer | null => (path === null ? null : readFileSync(path))

/** Writes and syncs the file of a blob in Node's threads. */
async function writeLarge(files: BlobFiles, hash: BlobHash, bytes: Uint8Array, write: BlobParts['write']): Promise<void> {
  const temp = partialPath(files)
  const failure = await writeTempFile(temp, bytes).then(
    () => null,
    (error: unknown) => ({ error }),
  )
  try {
    write(() => {
      if (failure) throw failure.error
      moveDurably(temp, blobPath(files, hash))
    })
  } catch (error) {
    rmSync(temp, { force: true })
    throw error
  }
}

/** The bytes of a large blob. Null if the blob is small, or if its file cannot be read or has other bytes, so that `get` says why. */
async function readLarge(path: string, hash: BlobHash): Promise<Uint8Array | null> {
  if ((sizeOf(path) ?? 0) < LARGE_BLOB) return null
  const bytes = await readFile(path).catch(() => null)
  return bytes && (await hashInSlices(bytes)) === hash ? bytes : null
}
