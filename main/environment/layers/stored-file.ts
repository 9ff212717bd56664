import { closeSync, constants, lstatSync, openSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { LayerFile } from '../../agent/ports/layers.ts'
import { orNull } from '../environment-failure.ts'

export type Put = (bytes: Uint8Array) => Promise<BlobHash>

/** A command that is still running may put a link in the place of the file. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
/** Files up to this size (bytes) are read at once, because a request to a thread takes longer than reading a small file. */
const SMALL = 64 * 1024

/** Stores the bytes of a file. Null if there is no file. */
export async function storedFile(path: string, put: Put): Promise<LayerFile | null> {
  const found = orNull(() => lstatSync(path))
  if (!found?.isFile()) return null
  const bytes = found.size <= SMALL ? readSmall(path) : await readFile(path, { flag: FLAGS })
  return { hash: await put(bytes), size: bytes.length, mode: found.mode & 0o777 }
}

function readSmall(path: string): Uint8Array {
  const file = openSync(path, FLAGS)
  try {
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

export const isSameFile = (a: LayerFile | null, b: LayerFile | null): boolean => a?.hash === b?.hash && a?.mode === b?.mode
