import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { changed, type Replacement } from './file-replacement.ts'

/** Overwrites the content of an existing file. Restores the old content if this fails halfway. */
export async function overwriteInPlace({ target, bytes, folder, options }: Replacement): Promise<void> {
  const handle = await open(folder.entry(basename(target)), constants.O_RDWR | (constants.O_NOFOLLOW ?? 0))
  try {
    const previous = await handle.readFile()
    if (options.expected === null || (options.expected && !previous.equals(options.expected))) throw changed(target)
    await overwrite(handle, bytes, previous)
    if (options.mode !== undefined && process.platform !== 'win32') await handle.chmod(options.mode)
  } finally {
    await handle.close()
  }
}

async function overwrite(handle: FileHandle, bytes: Uint8Array, previous: Uint8Array): Promise<void> {
  try {
    await put(handle, bytes)
  } catch (error) {
    // Even a full disk has room for the old bytes, because their blocks belong to the file.
    await put(handle, previous)
    throw error
  }
}

async function put(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, done)
    done += bytesWritten
  }
  await handle.truncate(bytes.length)
  await handle.sync()
}
