import { constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../environment-failure.ts'

/** A folder that is kept open while a file in it is replaced, so that the folder cannot be exchanged in the meantime. */
export interface OpenFolder {
  /** Returns the path of an entry with this name in the folder. It is valid even if the folder is moved. */
  entry(name: string): string
  /** Whether the folder's path still leads to this folder. */
  isStill(): Promise<boolean>
  /** Syncs the folder, so that new names in it survive a power failure. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** On Linux, names are resolved through the open folder. Elsewhere, they are resolved by its path. */
export async function openFolder(path: string): Promise<OpenFolder> {
  if (process.platform === 'win32') return byPath(path, null)
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY)
  if (process.platform !== 'linux') return byPath(path, handle)
  const door = `/proc/self/fd/${handle.fd}`
  const seen = await readlink(door).catch(() => null)
  if (seen === null) return byPath(path, handle)
  return { ...byPath(path, handle), entry: (name) => `${door}/${name}`, isStill: () => Promise.resolve(seen === path) }
}

function byPath(path: string, handle: FileHandle | null): OpenFolder {
  return {
    entry: (name) => join(path, name),
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
