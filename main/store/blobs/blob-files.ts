import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { BlobHash } from '../../../shared/lib/ids.ts'

/** Smaller blobs (bytes) are stored in the database: measured 0.06 ms instead of 0.55 ms for a file. */
export const SMALL_BLOB = 16 * 1024

/** Blobs are files `<folder>/ab/abcdef…`; unfinished ones are in `partial` (same file system, names begin with `holder`). */
export interface BlobFiles {
  readonly folder: string
  readonly partial: string
  readonly holder: string
}

export const blobPath = ({ folder }: BlobFiles, hash: BlobHash): string => join(folder, hash.slice(0, 2), hash)
export const partialPath = ({ partial, holder }: BlobFiles): string => join(partial, `${holder}.${randomUUID()}`)
/** The size of a file; null if there is none. A wrong size means that a power cut truncated it. */
export const sizeOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.size ?? null
