import { type BigIntStats, constants } from 'node:fs'
import {
  chmod,
  copyFile,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rm,
  rmdir,
  symlink,
  unlink,
  utimes,
} from 'node:fs/promises'
import { codeOf, EnvironmentFailure } from '../../environment-failure.ts'
import { O_PATH } from '../../files/open-folder.ts'

// A command may be running in the folders that this file works in, and may replace a folder with a link at any moment. Therefore each
// folder is opened without following links, and its entries are found through the open folder.

/** A path, or its bytes, because a command may have created any name. */
type Path = string | Buffer

/** Opens an entry without reading it, and without waiting for a fifo. */
const openEntry = (at: Path): Promise<FileHandle> => open(at, O_PATH | constants.O_NOFOLLOW)
/** Returns a path that leads to the open entry, even if another entry has taken its place. */
const pathOf = ({ fd }: FileHandle): string => `/proc/self/fd/${fd}`

interface Inner {
  readonly at: Buffer
  readonly name: Buffer
  /** Whether the entry was a folder when its parent was read. It may have been replaced since. */
  readonly wasFolder: boolean
}

async function entriesOf(folder: FileHandle): Promise<readonly Inner[]> {
  const entries = await readdir(pathOf(folder), { withFileTypes: true, encoding: 'buffer' })
  return entries.map((entry) => ({ at: below(pathOf(folder), entry.name), name: entry.name, wasFolder: entry.isDirectory() }))
}

const below = (folder: Path, name: Buffer): Buffer => Buffer.concat([Buffer.from(folder), Buffer.from('/'), name])

async function addRights(entry: FileHandle, rights: number): Promise<void> {
  const { mode } = await entry.stat()
  if ((mode & rights) !== rights) await chmod(pathOf(entry), (mode & 0o7777) | rights)
}

/** Lets the owner change what is in a folder. Does nothing if there is no folder. */
export async function openToOwner(at: Path): Promise<void> {
  const entry = await openEntry(at)
  try {
    if ((await entry.stat()).isDirectory()) await addRights(entry, 0o700)
  } finally {
    await entry.close()
  }
}

/** Removes an entry and everything in it. Does nothing if there is no entry. */
export async function removeEntry(at: Path): Promise<void> {
  const entry = await openEntry(at).catch(nullIfGone)
  if (entry === null) return
  try {
    if (!(await entry.stat()).isDirectory()) return await unlink(at)
    await addRights(entry, 0o700)
    for (const inner of await entriesOf(entry)) await (inner.wasFolder ? removeEntry(inner.at) : unlink(inner.at))
  } finally {
    await entry.close()
  }
  await rmdir(at)
}

function nullIfGone(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null
  throw error
}

/**
 * Moves an entry to another file system, file by file. A file is removed only after it was copied completely, and only if nobody has
 * changed it in the meantime. If something cannot be moved, rejects, and the rest stays. Sockets, fifos and devices contain nothing, so
 * they are only removed.
 */
export async function moveEntry(at: Path, to: Path): Promise<void> {
  const entry = await openEntry(at)
  try {
    const found = await entry.stat({ bigint: true })
    if (!found.isDirectory()) {
      await copyContent(entry, found, { at, to })
      return await unlink(at)
    }
    await addRights(entry, 0o700)
    await mkdir(to, { mode: 0o700 })
    for (const inner of await entriesOf(entry)) await moveEntry(inner.at, below(to, inner.name))
    await chmod(to, Number(found.mode) & 0o777)
  } finally {
    await entry.close()
  }
  await rmdir(at)
}

async function copyContent(entry: FileHandle, found: BigIntStats, { at, to }: Readonly<Record<'at' | 'to', Path>>): Promise<void> {
  try {
    if (found.isSymbolicLink()) await symlink(await readlink(at, { encoding: 'buffer' }), to)
    if (found.isFile()) {
      await addRights(entry, 0o400)
      await copyFile(pathOf(entry), to, constants.COPYFILE_EXCL)
      await chmod(to, Number(found.mode) & 0o777)
      await utimes(to, Number(found.atimeMs) / 1e3, Number(found.mtimeMs) / 1e3)
    }
    const now = await entry.stat({ bigint: true })
    const there = await lstat(at, { bigint: true })
    const isSame = there.ino === found.ino && there.dev === found.dev && now.mtimeNs === found.mtimeNs && now.size === found.size
    if (!isSame) throw new EnvironmentFailure('ECHANGED', 'The file changed while it was being copied.')
  } catch (error) {
    await rm(to, { force: true })
    throw error
  }
}

/**
 * Copies an entry with its modes and times into a folder in which a command runs. `from` must be out of reach of commands. Sockets, fifos
 * and devices are left out. Rejects if something is at `to` already. The times are as exact as `mtimeMs`, by which trees are compared.
 */
export async function copyEntry(from: Path, to: Path): Promise<void> {
  const found = await lstat(from)
  if (found.isSymbolicLink()) return symlink(await readlink(from, { encoding: 'buffer' }), to)
  if (!found.isDirectory() && !found.isFile()) return
  if (found.isDirectory()) await mkdir(to, { mode: 0o700 })
  else await copyFile(from, to, constants.COPYFILE_EXCL)
  const entry = await openEntry(to)
  try {
    if (found.isDirectory())
      for (const name of await readdir(from, { encoding: 'buffer' })) await copyEntry(below(from, name), below(pathOf(entry), name))
    await chmod(pathOf(entry), found.mode & 0o777)
    await utimes(pathOf(entry), found.atimeMs / 1e3, found.mtimeMs / 1e3)
  } finally {
    await entry.close()
  }
}
