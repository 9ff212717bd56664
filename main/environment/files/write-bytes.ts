import { type BigIntStats, constants } from 'node:fs'
import { access, lstat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf, EnvironmentFailure } from '../environment-failure.ts'
import { makeFolders } from './make-folders.ts'
import { openFolder } from './open-folder.ts'
import { nearestRealPath } from './paths.ts'
import { readRegularFile } from './read-bytes.ts'
import { overwriteInPlace } from './overwrite-in-place.ts'
import { changed, type Replacement, type WriteOptions } from './replacement.ts'
import { replaceByTempFile } from './temp-file.ts'

/** Codes of a folder in which no temp file can be made, or of a target over which none can be renamed (a bind mount). */
const NEEDS_IN_PLACE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV'])

/**
 * Replaces a file's content, or makes the file and its folders. Old or new bytes stand there at every moment, except where only
 * writing in place keeps what the file is: a hard link, a file of somebody else, a folder that takes no new file. Then a failed
 * write puts the old bytes back. Rejects with `ECHANGED` when something else than `expected` stands there, and writes nothing.
 */
export async function writeWhole(path: string, bytes: Uint8Array, options: WriteOptions): Promise<void> {
  const target = await nearestRealPath(path)
  if (options.real && target !== path) throw changed(path)
  const before = await standing(target)
  if (options.expected !== undefined) await mustHold(target, before, options.expected)
  if (before) await access(target, constants.W_OK)
  await makeFolders(dirname(target))
  const folder = await openFolder(dirname(target))
  try {
    if (!(await folder.isStill())) throw changed(target)
    await replace({ target, bytes, before, folder, options })
  } finally {
    await folder.close()
  }
}

async function replace(replacement: Replacement): Promise<void> {
  const { before } = replacement
  if (before && onlyInPlace(before)) return overwriteInPlace(replacement)
  try {
    await replaceByTempFile(replacement, () => mustStillHold(replacement))
  } catch (error) {
    if (!before || !NEEDS_IN_PLACE.has(codeOf(error) ?? '')) throw error
    await overwriteInPlace(replacement)
  }
}

/** A renamed temp file would cut the other names off, or take the file away from its owner. */
function onlyInPlace(before: BigIntStats): boolean {
  const own = process.geteuid?.()
  return before.nlink > 1n || (own !== undefined && own !== 0 && before.uid !== BigInt(own))
}

async function standing(target: string): Promise<BigIntStats | null> {
  try {
    const found = await lstat(target, { bigint: true })
    if (found.isDirectory()) throw new EnvironmentFailure('EISDIR', `${target} is a folder, not a file (EISDIR).`)
    if (found.isSymbolicLink()) throw changed(target)
    if (!found.isFile()) throw new EnvironmentFailure('EINVAL', `${target} is not a regular file (EINVAL).`)
    return found
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Just before the new bytes take the place: cheap when nothing moved, and else compared whole again. */
async function mustStillHold({ target, before, options }: Replacement): Promise<void> {
  if (options.expected === undefined) return
  const now = await standing(target)
  if (now && before && isSame(now, before)) return
  await mustHold(target, now, options.expected)
}

async function mustHold(target: string, now: BigIntStats | null, expected: Uint8Array | null): Promise<void> {
  if (now === null && expected === null) return
  if (now === null || expected === null || now.size !== BigInt(expected.length)) throw changed(target)
  try {
    const bytes = await readRegularFile(target, { maxBytes: expected.length, noFollow: true })
    if (Buffer.compare(bytes, expected) !== 0) throw changed(target)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'EFBIG' || codeOf(error) === 'ELOOP') throw changed(target)
    throw error
  }
}

function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs
}
