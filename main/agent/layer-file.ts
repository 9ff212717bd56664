import { hashOf } from './blob-hash.ts'
import type { BlobHash } from '../../shared/lib/ids.ts'
import type { CopiedEntry } from './ports/command-copies.ts'
import type { LayerFile } from './ports/layers.ts'

/** An entry as a file of a layer. Null for a folder. */
export function fileOfEntry(entry: CopiedEntry): LayerFile | null {
  if (entry.kind === 'file') return { hash: entry.hash as BlobHash, size: entry.size, mode: entry.mode & 0o777 }
  if (entry.kind !== 'link') return null
  const target = Buffer.from(entry.target)
  return { hash: hashOf(target), size: target.length, mode: null }
}

export const isSameFile = (a: LayerFile | null, b: LayerFile | null): boolean => a?.hash === b?.hash && a?.mode === b?.mode

/** Whether two files have the same content, whatever their permissions. A link has the content of no file. */
export const hasSameContent = (a: LayerFile | null, b: LayerFile | null): boolean =>
  a?.hash === b?.hash && (a?.mode === null) === (b?.mode === null)

/** Whether there is a regular file, which can be merged. A link cannot. */
export const isRegular = (file: LayerFile | null): file is LayerFile & { readonly mode: number } => file !== null && file.mode !== null

/** Whether an entry is this file. Null stands for nothing. */
export const isSameAsEntry = (file: LayerFile | null, entry: CopiedEntry | null): boolean =>
  file === null || entry === null ? file === entry : isSameFile(file, fileOfEntry(entry))
