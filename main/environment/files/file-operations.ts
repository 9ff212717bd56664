import { access, chmod, lstat, mkdir, open, realpath, rmdir, stat, symlink, unlink } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { constants, type Stats } from 'node:fs'
import { pathNamesFolder } from '../../../shared/lib/path-names-folder.ts'
import { runInSlices } from '../../agent/event-loop-slices.ts'
import type { ExecutionEnvironment, FileStat } from '../../agent/ports/execution-environment.ts'
import type { CrashNotes } from '../crash-notes.ts'
import { codeOf, EnvironmentFailure, explained } from '../environment-failure.ts'
import type { SameRoot } from '../check-same-root.ts'
import { isInside } from '../../is-inside.ts'
import { unignoredBelow } from '../search/ignore/folder-ignore-rules.ts'
import { createFolderSyncs } from './fsync-folders.ts'
import { listFolder } from './list-folder.ts'
import { numberedLines } from './text-for-display.ts'
import { absolutePath, nearestRealPath } from './paths.ts'
import { readRegularFile, targetOfLink } from './read-regular-file.ts'
import { changed, type WriteOptions } from './file-replacement.ts'
import { O_PATH, openFolder } from './open-folder.ts'
import { renameFile } from './temp-file.ts'
import { writeWholeFile } from './write-whole-file.ts'

export type FileOperations = Pick<
  ExecutionEnvironment,
  | 'readFile'
  | 'writeFile'
  | 'deleteFile'
  | 'fileExists'
  | 'listDirectory'
  | 'readBytes'
  | 'writeBytes'
  | 'stat'
  | 'lstat'
  | 'realpath'
  | 'readlink'
  | 'symlink'
  | 'rename'
  | 'setMode'
  | 'createFolder'
  | 'removeFolder'
>

/** File operations below `root` and, with absolute paths, outside it. Changes are refused if `root` is no longer the same folder. */
export function createFileOperations(root: string, notes: CrashNotes, sameRoot: SameRoot): FileOperations {
  const folderSyncs = createFolderSyncs()
  /**
   * Resolves the path, does the work, and explains what could not be done. If a file is missing, the reason may be that the root itself is
   * missing or has been replaced.
   */
  const at = async <T>(path: string, doing: string, work: (absolute: string) => Promise<T>): Promise<T> => {
    try {
      return await work(absolutePath(root, path))
    } catch (error) {
      if (codeOf(error) === 'ENOENT') await sameRoot.check()
      throw explained(error, doing, path)
    }
  }
  const change = <T>(path: string, doing: string, work: (absolute: string) => Promise<T>): Promise<T> =>
    at(path, doing, async (file) => {
      await sameRoot.check()
      return work(file)
    })
  const changeEntry = <T>(path: string, doing: string, work: (entry: string, path: string) => Promise<T>): Promise<T> =>
    change(path, doing, (file) => inFolderOf(file, root, (entry) => work(entry, file)))
  const look = async (path: string, how: (file: string) => Promise<Stats>): Promise<FileStat | null> => {
    const found = await at(path, 'look at', (file) => statOrNull(() => how(file)))
    if (found === null) await sameRoot.check()
    return found
  }
  const write = (path: string, bytes: Uint8Array, options: WriteOptions): Promise<void> =>
    change(path, 'write', (file) => {
      if (pathNamesFolder(path)) throw new EnvironmentFailure('EISDIR', `${path} is a folder, not a file (EISDIR).`)
      return writeWholeFile(file, bytes, options)
    })
  return {
    readFile: (path, offset, limit) =>
      at(path, 'read', async (file) => runInSlices(numberedLines(await readRegularFile(file), path, offset, limit))),
    writeFile: (path, content) => write(path, Buffer.from(content, 'utf8'), { notes, folderSyncs }),
    deleteFile: (path) => changeEntry(path, 'delete', deleteFile),
    fileExists: (path) =>
      at(path, 'look for', access).then(
        () => true,
        () => false,
      ),
    listDirectory: (path, depth, options) =>
      at(path, 'list', async (folder) => {
        const entries = await listFolder(folder, depth)
        return options?.unignored === true ? unignoredBelow(folder, entries) : entries
      }),
    readBytes: (path, options) => at(path, 'read', (file) => readRegularFile(file, options)),
    writeBytes: (path, bytes, options) => write(path, bytes, { ...options, notes, folderSyncs }),
    stat: (path) => look(path, stat),
    lstat: (path) => look(path, lstat),
    realpath: (path) => at(path, 'resolve', (file) => nearestRealPath(file)),
    readlink: (path) => at(path, 'read the link', targetOfLink),
    symlink: (target, path) => changeEntry(path, 'make the link', (entry) => symlink(target, entry)),
    rename: (from, to) =>
      changeEntry(from, 'rename', (entry) => inFolderOf(absolutePath(root, to), root, (target) => renameFile(entry, target))),
    setMode: (path, mode) => changeEntry(path, 'set the mode of', (entry) => setMode(entry, path, mode)),
    createFolder: (path, mode) =>
      change(path, 'create the folder', async (folder) => {
        await mkdir(dirname(folder), { recursive: true })
        await inFolderOf(folder, root, (entry) => createFolder(entry, mode))
      }),
    removeFolder: (path) => changeEntry(path, 'delete the folder', (entry) => rmdir(entry)),
  }
}

/**
 * Calls `work` with a path to an entry in its folder, which stays open, so that no other folder can take its place. Fails if a folder
 * inside the root leads out of the root: callers pass real paths, so a command must have put a link there.
 */
async function inFolderOf<T>(path: string, root: string, work: (entry: string) => Promise<T>): Promise<T> {
  const folder = await openFolder(dirname(path), 'entries')
  try {
    if (path !== root && isInside(root, path) && !isInside(await realpath(root), await folder.real())) throw changed(path)
    return await work(folder.entry(basename(path)))
  } finally {
    await folder.close()
  }
}

/** On Linux, does not follow a link, which a command may have put in place of the entry. */
async function setMode(entry: string, path: string, mode: number): Promise<void> {
  if (process.platform !== 'linux') return chmod(entry, mode)
  const handle = await open(entry, O_PATH | constants.O_NOFOLLOW)
  try {
    if ((await handle.stat()).isSymbolicLink()) throw new EnvironmentFailure('ELOOP', `${path} is a link, which has no mode (ELOOP).`)
    await chmod(`/proc/self/fd/${handle.fd}`, mode)
  } finally {
    await handle.close()
  }
}

async function createFolder(entry: string, mode: number): Promise<void> {
  await mkdir(entry, { mode })
  // Because mkdir reduces the mode by the umask, the mode is set again.
  await chmod(entry, mode)
}

async function deleteFile(entry: string, path: string): Promise<void> {
  const found = await lstat(entry)
  if (found.isDirectory()) throw new EnvironmentFailure('EISDIR', `${path} is a folder; only files are deleted (EISDIR).`)
  await unlink(entry)
}

async function statOrNull(look: () => Promise<Stats>): Promise<FileStat | null> {
  try {
    const found = await look()
    const { size, mode, mtimeMs, ino, nlink } = found
    return { kind: kindOf(found), size, mode: mode & 0o7777, mtimeMs, inode: ino, links: nlink }
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    throw error
  }
}

function kindOf(found: Stats): FileStat['kind'] {
  if (found.isFile()) return 'file'
  if (found.isDirectory()) return 'folder'
  return found.isSymbolicLink() ? 'symlink' : 'other'
}
