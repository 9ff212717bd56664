import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BlobHash } from '../../shared/lib/ids.ts'
import { blobPath } from './blob-files.ts'
import type { Blobs } from './blobs.ts'

/**
 * The file of the data folder that holds a blob's bytes, for programs that read our JSON lines (DESIGN §3). A small blob lies in the database:
 * it is copied to the place that it would have as a file. Null: there is no such blob, or no room for the copy.
 */
export function blobFileOf(blobs: Pick<Blobs, 'path' | 'has' | 'get'>, dataFolder: string, hash: BlobHash): string | null {
  const known = blobs.path(hash)
  if (known !== null || !blobs.has(hash)) return known
  const path = blobPath({ folder: join(dataFolder, 'blobs'), partial: '', holder: '' }, hash)
  const temp = `${path}.${randomUUID()}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(temp, blobs.get(hash), { flag: 'wx', mode: 0o600 })
    renameSync(temp, path)
    return path
  } catch {
    rmSync(temp, { force: true })
    return null
  }
}
