import { access, chmod, lstat, mkdir, rmdir, stat, symlink, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Stats } from 'node:fs'
import { pathNamesFolder } from '../../../shared/lib/path-names-folder.ts'
import type { ExecutionEnvironment, FileStat } from '../../agent/ports/execution-environment.ts'
import type { CrashNotes } from '../crash-notes.ts'
import { codeOf, EnvironmentFailure, explained } from '../environment-failure.ts'
import type { SameRoot } from '../check-same-root.ts'
import { unignoredBelow } from '../search/ignore/folder-ignore-rules.ts'
import { createFolderSyncs } from './fsync-folders.ts'
import { listFolder } from './list-folder.ts'
import { numberedLines, textForDisplay } from './text-for-display.ts'
import { absolutePath, nearestRealPath } from './paths.ts'
import { readRegularFile, targetOfLink } from './read-regular-file.ts'
import type { WriteOptions } from './file-replacement.ts'
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
   * Resolves the path, does the work, and explains what could not be done. If something is missing, the reason may be that the complete
   * root is missing.
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
      at(path, 'read', async (file) => numberedLines(textForDisplay(await readRegularFile(file), path), offset, limit)),
    writeFile: (path, content) => write(path, Buffer.from(content, 'utf8'), { notes, folderSyncs }),
    deleteFile: (path) => change(path, 'delete', deleteFile),
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
    symlink: (target, path) => change(path, 'make the link', (file) => symlink(target, file)),
    rename: (from, to) => change(from, 'rename', (file) => renameFile(file, absolutePath(root, to))),
    setMode: (path, mode) => change(path, 'set the mode of', (file) => chmod(file, mode)),
    createFolder: (path, mode) => change(path, 'create the folder', (folder) => createFolder(folder, mode)),
    removeFolder: (path) => change(path, 'delete the folder', (folder) => rmdir(folder)),
  }
}

async function createFolder(path: string, mode: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await mkdir(path, { mode })
  // mkdir reduces the mode by the umask, so the mode is set again.
  await chmod(path, mode)
}

async function deleteFile(path: string): Promise<void> {
  const found = await lstat(path)
  if (found.isDirectory()) throw new EnvironmentFailure('EISDIR', `${path} is a folder; only files are deleted (EISDIR).`)
  await unlink(path)
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
