import { createHash } from 'node:crypto'
import { existsSync, fdatasync, openSync } from 'node:fs'
import type { BlobHash } from '../../shared/lib/ids.ts'
import type { Spool } from '../agent/ports/tool.ts'
import { blobPath, partialPath, SMALL_BLOB, type BlobFiles } from './blob-files.ts'
import { discard, settle, writeAll } from './durable-file.ts'

/** The most that one spool keeps, in bytes (security 3.3: "a cap and a clear note"); what comes after is dropped and `capped` says so. */
export const SPOOL_CAP = 256 * 1024 * 1024
/** Bytes after which the disk is asked to take what is there, beside the work, so that the last sync finds little left. */
const FLUSH_EVERY = 8 * 1024 * 1024

export interface SpoolParts {
  readonly files: BlobFiles | null
  readonly write: <T>(work: () => T) => T
  readonly putSmall: (hash: BlobHash, bytes: Uint8Array) => void
  readonly cap?: number
}

/**
 * Stores a large output while it comes. Up to 16 KiB are held in memory, more goes to a temp file; the blob exists from `end` on.
 * `write` and `end` throw `StorageError` when the bytes cannot be kept; nothing of them stays behind then.
 */
export function createSpool({ files, write, putSmall, cap = SPOOL_CAP }: SpoolParts): Spool {
  const hash = createHash('sha256')
  const held: Uint8Array[] = []
  let file: { readonly handle: number; readonly path: string } | null = null
  let size = 0
  let flushedAt = 0
  let capped = false
  let ended = false

  const toFile = (bytes: Uint8Array): void => {
    if (!files) return void held.push(Uint8Array.from(bytes))
    if (!file) {
      const path = partialPath(files)
      file = { path, handle: openSync(path, 'wx', 0o600) }
      for (const earlier of held.splice(0)) writeAll(file.handle, earlier)
    }
    writeAll(file.handle, bytes)
    if (size - flushedAt < FLUSH_EVERY) return
    flushedAt = size
    // Beside the work and without a promise: `end` syncs again and tells of failure.
    fdatasync(file.handle, () => {})
  }
  const giveUp = (): void => {
    ended = true
    held.length = 0
    if (file) discard(file.handle, file.path)
    file = null
  }

  return {
    write(chunk) {
      if (ended || capped) return
      const bytes = chunk.length > cap - size ? chunk.subarray(0, cap - size) : chunk
      capped = bytes.length < chunk.length
      if (bytes.length === 0) return
      try {
        write(() => (size + bytes.length < SMALL_BLOB ? held.push(Uint8Array.from(bytes)) : toFile(bytes)))
      } catch (error) {
        giveUp()
        throw error
      }
      size += bytes.length
      hash.update(bytes)
    },
    end() {
      if (ended || size === 0) return null
      ended = true
      const digest = hash.digest('hex') as BlobHash
      write(() => {
        if (!file || !files) putSmall(digest, Buffer.concat(held))
        else if (existsSync(blobPath(files, digest))) discard(file.handle, file.path)
        else settle(file.handle, file.path, blobPath(files, digest))
      })
      held.length = 0
      return { hash: digest, bytes: size, capped }
    },
  }
}
