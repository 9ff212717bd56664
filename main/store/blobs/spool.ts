import { createHash } from 'node:crypto'
import { mkdirSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { Spool } from '../../agent/ports/tool.ts'
import { blobPath, partialPath, sizeOf, SMALL_BLOB, type BlobFiles } from './blob-files.ts'
import { renamePatiently } from './durable-file.ts'
import { createBackgroundWrite, type BackgroundWrite } from './background-write.ts'

/** Maximum number of bytes that one spool keeps. Further bytes are dropped, and `capped` reports this. */
const SPOOL_CAP = 256 * 1024 * 1024

export interface SpoolParts {
  readonly files: BlobFiles | null
  readonly write: <T>(work: () => T) => T
  readonly putSmall: (hash: BlobHash, bytes: Uint8Array) => void
  readonly cap?: number
  /** Called with the hash of a file that may not be synced yet. */
  readonly onUnsynced?: (hash: BlobHash) => void
}

/**
 * Stores a large output while it arrives. Up to 16 KiB are kept in memory; a longer output goes to a temp file. The blob exists after
 * `end`. If the bytes cannot be stored, `write` or `end` throws a `StorageError` and leaves nothing behind. The blob is not synced: it
 * survives the end of this process immediately, but a power cut only after about half a minute. Syncing 10 MB would take 15 ms (measured),
 * and the log contains the start and the end of the output anyway.
 */
export function createSpool({ files, write, putSmall, cap = SPOOL_CAP, onUnsynced }: SpoolParts): Spool {
  const hash = createHash('sha256')
  const held: Uint8Array[] = []
  let file: { readonly path: string; readonly writer: BackgroundWrite } | null = null
  let size = 0
  let capped = false
  let ended = false

  const toFile = (bytes: Uint8Array): void => {
    if (!files) return void held.push(Uint8Array.from(bytes))
    if (!file) {
      const path = partialPath(files)
      file = { path, writer: createBackgroundWrite(openSync(path, 'wx', 0o600)) }
      for (const earlier of held.splice(0)) file.writer.write(earlier)
    }
    file.writer.write(bytes)
  }
  const discard = (): void => {
    held.length = 0
    if (file) rmSync(file.path, { force: true })
    file?.writer.close()
    file = null
  }

  return {
    write(chunk) {
      if (ended || capped) return
      const bytes = chunk.length > cap - size ? chunk.subarray(0, cap - size) : chunk
      capped = bytes.length < chunk.length
      if (bytes.length === 0) return
      try {
        if (size + bytes.length < SMALL_BLOB) held.push(Uint8Array.from(bytes))
        else toFile(bytes)
      } catch (error) {
        ended = true
        discard()
        // `write` is called only to report the failure to the store. A success is not reported, because it does not show that the disk
        // works: the bytes may still be in memory.
        write(() => {
          throw error
        })
      }
      size += bytes.length
      hash.update(bytes)
    },
    end() {
      if (ended || size === 0) return null
      ended = true
      const digest = hash.digest('hex') as BlobHash
      try {
        if (!file || !files) putSmall(digest, Buffer.concat(held))
        else if (write(() => file !== null && store(file, size, blobPath(files, digest)))) onUnsynced?.(digest)
      } finally {
        // The file is discarded even if the store refuses to write.
        discard()
      }
      return { hash: digest, bytes: size, capped }
    },
  }
}

/**
 * Gives the file its final name. Returns false if the blob already exists. An existing file with a different size comes from a write that
 * was cut off, so it is replaced.
 */
function store({ path, writer }: { readonly path: string; readonly writer: BackgroundWrite }, size: number, blob: string): boolean {
  writer.finish()
  if (sizeOf(blob) === size) return false
  mkdirSync(dirname(blob), { recursive: true, mode: 0o700 })
  renamePatiently(path, blob)
  return true
}
