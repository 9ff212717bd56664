import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** Calls `work` with the path by which the last part of `path` is reached; no link on the way is followed, and none can be put there. */
export async function inParentOf<T>(folder: string, path: string, work: (at: string) => Promise<T>): Promise<T> {
  const parts = path.split('/')
  const name = parts.pop() ?? ''
  const handle = await openStepwise(folder, parts)
  try {
    return await work(`/proc/self/fd/${handle.fd}/${name}`)
  } finally {
    await handle.close()
  }
}

async function openStepwise(folder: string, parts: readonly string[]): Promise<FileHandle> {
  let handle = await open(folder, FLAGS)
  for (const part of parts) {
    const above = handle
    try {
      handle = await open(`/proc/self/fd/${above.fd}/${part}`, FLAGS)
    } finally {
      await above.close()
    }
  }
  return handle
}
