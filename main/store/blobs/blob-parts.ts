import { closeSync, openSync, readSync, statSync } from 'node:fs'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { Blobs } from './blobs.ts'

/** What is asked of a blob without reading all of it: one that is a file is neither read whole nor hashed. */
type Readable = Pick<Blobs, 'get' | 'has' | 'path'>

/** How many bytes a blob has; null: there is none. */
export function blobSize(blobs: Readable, hash: BlobHash): number | null {
  const path = blobs.path(hash)
  // It may have gone since.
  if (path !== null) return statSync(path, { throwIfNoEntry: false })?.size ?? null
  return blobs.has(hash) ? blobs.get(hash).length : null
}

/** The last bytes of a blob, at most `most`; null: there is none. Those of a file are not checked against its hash. */
export function blobTail(blobs: Readable, hash: BlobHash, most: number): Uint8Array | null {
  const path = blobs.path(hash)
  if (path !== null) return fileTail(path, most)
  return blobs.has(hash) ? blobs.get(hash).subarray(-most) : null
}

function fileTail(path: string, most: number): Uint8Array {
  const { size } = statSync(path)
  const bytes = new Uint8Array(Math.min(size, most))
  const handle = openSync(path, 'r')
  try {
    return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, size - bytes.length))
  } finally {
    closeSync(handle)
  }
}
