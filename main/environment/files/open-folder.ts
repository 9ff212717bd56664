import { constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../environment-failure.ts'

/** A folder that is kept open while a file in it is replaced, so that the folder cannot be exchanged in the meantime. */
export interface OpenFolder {
  /** Returns the path of an entry with this name in the folder. It is valid even if the folder is moved. */
  entry(name: string): string
  /** The folder's real path when it was opened. */
  real(): Promise<string>
  /** Whether the folder's path still leads to this folder. */
  isStill(): Promise<boolean>
  /** Syncs the folder, so that new names in it survive a power failure. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** Linux only: opens an entry without access to its content, so that it need not be readable. Node has no name for this flag. */
export const O_PATH = 0o10000000

/**
 * Opens a folder. On Linux, names in it are resolved through the open folder. Elsewhere, they are resolved by the folder's path. Pass
 * 'sync' as `use` to call `sync` later.
 */
export async function openFolder(path: string, use: 'entries' | 'sync' = 'sync'): Promise<OpenFolder> {
  if (process.platform === 'win32') return byPath(path, null)
  const isLinux = process.platform === 'linux'
  const handle = await open(path, (isLinux && use === 'entries' ? O_PATH : constants.O_RDONLY) | constants.O_DIRECTORY)
  if (!isLinux) return byPath(path, handle)
  const door = `/proc/self/fd/${handle.fd}`
  const seen = await readlink(door).catch(() => null)
  if (seen === null) return byPath(path, handle)
  const isStill = (): Promise<boolean> => Promise.resolve(seen === path)
  return { ...byPath(path, handle), entry: (name) => `${door}/${name}`, real: () => Promise.resolve(seen), isStill }
}

function byPath(path: string, handle: FileHandle | null): OpenFolder {
  return {
    entry: (name) => join(path, name),
    real: () => realpath(path),
    isStill: async () => (await realpath(path)) === path,
    sync: () => syncFolder(handle),
    close: async () => handle?.close(),
  }
}

async function syncFolder(handle: FileHandle | null): Promise<void> {
  try {
    await handle?.sync()
  } catch (error) {
    // Some network and FUSE file systems cannot sync a folder. The file itself has been synced.
    if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'ENOTSUP') throw error
  }
}
