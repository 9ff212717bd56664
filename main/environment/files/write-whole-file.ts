import { type BigIntStats, constants } from 'node:fs'
import { access, lstat, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf, EnvironmentFailure } from '../environment-failure.ts'
import { type OpenFolder, openFolder } from './open-folder.ts'
import { nearestRealPath } from './paths.ts'
import { readRegularFile } from './read-regular-file.ts'
import { overwriteInPlace } from './overwrite-in-place.ts'
import { changed, type Replacement, type WriteOptions } from './file-replacement.ts'
import { replaceByTempFile } from './temp-file.ts'

/**
 * Error codes which say that a temp file cannot be created in the folder, cannot get the target's group, or cannot be renamed over the
 * target (for example over a bind mount).
 */
const NEEDS_IN_PLACE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV'])

/**
 * Replaces a file's content, or creates the file and its folders. Normally a new file replaces the old one, so that the content is always
 * either the old or the new. A file is overwritten in place if it has several hard links, belongs to another user, or is in a folder that
 * cannot be written to. If overwriting fails, the old content is restored. Rejects with `ECHANGED` and writes nothing if the content is not
 * `expected`.
 */
export async function writeWholeFile(path: string, bytes: Uint8Array, options: WriteOptions): Promise<void> {
  const target = await nearestRealPath(path)
  if (options.real && target !== path) throw changed(path)
  const before = await statsOf(target)
  if (options.expected !== undefined) await mustHold(target, before, options.expected)
  if (before) await access(target, constants.W_OK)
  const folder = await openOrMakeFolder(dirname(target))
  try {
    if (!(await folder.isStill())) throw changed(target)
    await replace({ target, bytes, before, folder, options })
  } finally {
    await folder.close()
  }
}

/** Tries to open the folder first, because the folders of most files exist. */
async function openOrMakeFolder(path: string): Promise<OpenFolder> {
  if (process.platform !== 'win32') {
    try {
      return await openFolder(path)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
  await makeFolders(path)
  return openFolder(path)
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

/** Renaming a temp file would detach the other hard links, or change the owner. */
function onlyInPlace(before: BigIntStats): boolean {
  const own = process.geteuid?.()
  return before.nlink > 1n || (own !== undefined && own !== 0 && before.uid !== BigInt(own))
}

async function statsOf(target: string): Promise<BigIntStats | null> {
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

/** The last check before the rename. It is fast if nothing has changed. Otherwise the content is compared again. */
async function mustStillHold({ target, before, options }: Replacement): Promise<void> {
  if (options.expected === undefined) return
  const now = await statsOf(target)
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

/**
 * Creates a folder and its missing parents. Rejects like `mkdir`. Node's own `recursive` option never returns for folders such as
 * `/proc/1`, where `mkdir` fails with ENOENT (Node 24.21), and blocks one of Node's four threads forever.
 */
async function makeFolders(folder: string): Promise<void> {
  try {
    await makeFolder(folder)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error
    await makeFolders(dirname(folder))
    await makeFolder(folder)
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !(await isFolder(folder))) throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
