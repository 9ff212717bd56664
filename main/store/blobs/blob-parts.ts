import { closeSync, openSync, readSync, statSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { Blobs } from './blobs.ts'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { blobPath } from './blob-files.ts'
import { renamePatiently } from './durable-file.ts'

/** What the functions here use of `Blobs`. They neither read a blob's file in full nor hash it. */
type Readable = Pick<Blobs, 'get' | 'has' | 'path'>

/** The size of a blob in bytes; null if there is none. */
export function blobSize(blobs: Readable, hash: BlobHash): number | null {
  const path = blobs.path(hash)
  // The file may have been removed after its path was looked up.
  if (path !== null) return statSync(path, { throwIfNoEntry: false })?.size ?? null
  return blobs.has(hash) ? blobs.get(hash).length : null
}

/** The last bytes of a blob, at most `most`; null if there is no such blob. The bytes of a file are not checked against its hash. */
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

/**
 * The file that contains a blob's bytes, for programs that read our JSON lines. A small blob is stored in the database, so it is copied
 * to the path that it would have as a file. Null if there is no such blob, it cannot be read, or there is no space for the copy.
 */
export function blobFileOf(blobs: Pick<Blobs, 'path' | 'has' | 'get'>, dataFolder: string, hash: BlobHash): string | null {
  try {
    const known = blobs.path(hash)
    return known !== null || !blobs.has(hash) ? known : copied(blobs.get(hash), place(dataFolder, hash))
  } catch {
    return null
  }
}

function copied(bytes: Uint8Array, path: string): string {
  const temp = `${path}.${randomUUID()}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(temp, bytes, { flag: 'wx', mode: 0o600 })
    renamePatiently(temp, path)
    return path
  } catch (error) {
    rmSync(temp, { force: true })
    throw error
  }
}

const place = (dataFolder: string, hash: BlobHash): string => blobPath({ folder: join(dataFolder, 'blobs'), partial: '', holder: '' }, hash)
