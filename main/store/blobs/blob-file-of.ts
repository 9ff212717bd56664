import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import { blobPath } from './blob-files.ts'
import type { Blobs } from './blobs.ts'
import { renamePatiently } from './durable-file.ts'

/**
 * The file of the data folder that holds a blob's bytes, for programs that read our JSON lines (DESIGN §3). A small blob lies in the database:
 * it is copied to the place that it would have as a file. Null: there is no such blob, it cannot be read, or there is no room for the copy.
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
