import { closeSync, constants, lstatSync, openSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { LayerFile } from '../../agent/ports/layers.ts'
import { inParentOf } from '../copy/apply/apply-steps.ts'
import { codeOf, orNull } from '../environment-failure.ts'
import { SMALL, type SmallFiles, targetAt } from './small-files.ts'

export type Put = (bytes: Uint8Array) => Promise<BlobHash>

/** A command that is still running may put a link in the place of the file. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Stores the bytes of a file, or the target of a link. Null if there is neither. */
export async function storedFile(path: string, put: Put): Promise<LayerFile | null> {
  const found = orNull(() => lstatSync(path))
  if (found?.isSymbolicLink()) {
    const target = targetAt(path)
    return target && { hash: await put(target), size: target.length, mode: null }
  }
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

/** The same for a file below a folder, without following links. `small`: reads small files below `root`. */
export async function storedBelow(root: string, path: string, small: SmallFiles, put: Put): Promise<LayerFile | null> {
  const found = small.read(path)
  if (found === 'large') return inParentOf(root, path, (at) => storedFile(at, put)).catch(unlessMissing)
  return found && { hash: await put(found.bytes), size: found.bytes.length, mode: found.mode }
}

export function unlessMissing(error: unknown): null {
  if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error) ?? '')) return null
  throw error
}
