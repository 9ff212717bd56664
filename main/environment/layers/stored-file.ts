import { constants } from 'node:fs'
import { lstat, readFile } from 'node:fs/promises'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { LayerFile } from '../../agent/ports/layers.ts'

export type Put = (bytes: Uint8Array) => Promise<BlobHash>

/** Stores the bytes of a file. Null if there is no file. */
export async function storedFile(path: string, put: Put): Promise<LayerFile | null> {
  const found = await lstat(path).catch(() => null)
  if (!found?.isFile()) return null
  // A command that is still running may put a link in the place of the file.
  const bytes = await readFile(path, { flag: constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK })
  return { hash: await put(bytes), size: bytes.length, mode: found.mode & 0o777 }
}

export const isSameFile = (a: LayerFile | null, b: LayerFile | null): boolean => a?.hash === b?.hash && a?.mode === b?.mode
