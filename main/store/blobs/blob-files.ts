import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { BlobHash } from '../../../shared/lib/ids.ts'

/** Blobs smaller than this (bytes) are stored in the database, which takes 0.06 ms compared with 0.55 ms for a file (measured). */
export const SMALL_BLOB = 16 * 1024

/**
 * Blobs are files `<folder>/ab/abcdef…`. Unfinished blobs are in `partial`, which is on the same file system; their names begin with
 * `holder`.
 */
export interface BlobFiles {
  readonly folder: string
  readonly partial: string
  readonly holder: string
}

export const blobPath = ({ folder }: BlobFiles, hash: BlobHash): string => join(folder, hash.slice(0, 2), hash)
export const partialPath = ({ partial, holder }: BlobFiles): string => join(partial, `${holder}.${randomUUID()}`)
/** The size of a file; null if there is none. A wrong size means that a power cut truncated it. */
export const sizeOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.size ?? null
