import { randomBytes } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, link, open, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { codeOf } from '../environment-failure.ts'
import { changed, type Replacement } from './file-replacement.ts'

/** On Windows, a virus scanner may have the file open for a moment. The waits between attempts add up to about 2 s. */
const WINDOWS_RETRY_MS = [10, 20, 40, 80, 160, 320, 640, 730] as const
/** Error codes of file systems without hard links. */
const NO_HARD_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES'])
/** Matches only Countersign's temp files. */
export const TEMP_NAME = /^\.countersign-[0-9a-f]{16}\.tmp$/
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/** Writes a temp file next to the target, syncs it and renames it over the target. `check` runs just before the rename. */
export async function replaceByTempFile(replacement: Replacement, check: () => Promise<void>): Promise<void> {
  const { target, folder, options } = replacement
  const name = `.countersign-${randomBytes(8).toString('hex')}.tmp`
  const note = options.notes.note({ kind: 'temp-file', path: join(dirname(target), name) })
  const temp = folder.entry(name)
  try {
    await fill(temp, replacement)
    await check()
    await takePlace(temp, folder.entry(basename(target)), replacement)
  } catch (error) {
    await unlink(temp).catch(() => {})
    throw error
  } finally {
    note.dispose()
  }
  await options.folderSyncs.sync(dirname(target), () => folder.sync())
}

async function fill(temp: string, { bytes, before, options }: Replacement): Promise<void> {
  const handle = await open(temp, FLAGS, before ? 0o600 : 0o666)
  try {
    await handle.writeFile(bytes)
    if (before) await keepOwner(handle, before)
    await applyMode(handle, options.mode ?? (before ? Number(before.mode) & 0o7777 : undefined))
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Only root can replace another user's file, but a user's own file can belong to another group than the user's new files. */
async function keepOwner(handle: FileHandle, { uid, gid }: BigIntStats): Promise<void> {
  if (process.platform === 'win32') return
  const own = await handle.stat({ bigint: true })
  if (own.uid !== uid || own.gid !== gid) await handle.chown(Number(uid), Number(gid))
}

async function applyMode(handle: FileHandle, mode: number | undefined): Promise<void> {
  if (mode !== undefined && process.platform !== 'win32') await handle.chmod(mode)
}

/**
 * If the target must not exist, a hard link is created instead of a rename, because a rename would replace a file that was created in the
 * meantime.
 */
async function takePlace(temp: string, place: string, { target, options }: Replacement): Promise<void> {
  if (options.expected !== null) return renameFile(temp, place)
  try {
    await link(temp, place)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw changed(target)
    if (!NO_HARD_LINKS.has(codeOf(error) ?? '')) throw error
    return renameFile(temp, place)
  }
  await unlink(temp)
}

/** `rename` with retries on Windows, where it fails while another program has the file open. `waits`: ms between attempts. */
export async function renameFile(
  from: string,
  to: string,
  waits: Iterable<number> = process.platform === 'win32' ? WINDOWS_RETRY_MS : [],
): Promise<void> {
  for (const wait of waits) {
    try {
      return await rename(from, to)
    } catch (error) {
      if (!['EPERM', 'EBUSY', 'EACCES'].includes(codeOf(error) ?? '')) throw error
    }
    await delay(wait)
  }
  await rename(from, to)
}
