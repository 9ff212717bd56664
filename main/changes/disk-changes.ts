import { dirname } from 'node:path'
import type { DiskChange } from '../../shared/api/changes/changes.ts'
import { type Disposable, disposable } from '../../shared/lib/disposable.ts'
import type { BlobHash } from '../../shared/lib/ids.ts'
import { mapAtOnce } from '../../shared/lib/map-at-once.ts'
import { hashInSlices } from '../agent/blob-hash.ts'
import type { ExecutionEnvironment, FileStat } from '../agent/ports/execution-environment.ts'
import { isSettled } from '../environment/comparison/read-folder.ts'
import { watchFolders } from '../environment/watch-folders.ts'
import { isInside } from '../is-inside.ts'

/** Number of files that are read at the same time. */
const AT_ONCE = 4

export interface RecordedFile {
  /** Absolute. */
  readonly path: string
  /** The content that the newest step left. Null if there is no file. */
  readonly after: BlobHash | null
}

export interface DiskChanges {
  /**
   * Returns the files whose content on disk differs from what the newest step left. Files outside the folder, unreadable files and files
   * above `maxBytes` are left out.
   */
  read(): Promise<readonly DiskChange[]>
  /** Calls back soon after one of the files may have changed, as far as the system reports it. */
  onChange(changed: () => void): Disposable
}

interface Comparing {
  readonly maxBytes: number
  /** Whether the system reports changes of these paths. It does not report changes in a layer, so its files are looked at regularly. */
  readonly isWatchable: boolean
}

/** How often files that cannot be watched are looked at, in ms. */
const LOOK_EVERY_MS = 2_000

function every(look: () => void): Disposable {
  const timer = setInterval(look, LOOK_EVERY_MS)
  timer.unref()
  return disposable(() => clearInterval(timer))
}

/**
 * Compares recorded files with the disk. A file with the same size, time and inode as before is not read again, unless it had just changed.
 */
export function createDiskChanges(
  env: ExecutionEnvironment,
  files: readonly RecordedFile[],
  { maxBytes, isWatchable }: Comparing,
): DiskChanges {
  const known = new Map<string, { readonly stat: FileStat; readonly hash: BlobHash }>()
  const isHere = async (path: string): Promise<boolean> => isInside(env.workingDirectory(), await env.realpath(path))
  const hashNow = async (path: string): Promise<BlobHash | null> => {
    const at = Date.now()
    const stat = await env.stat(path)
    if (stat === null) return null
    const earlier = known.get(path)
    if (earlier && isSame(earlier.stat, stat)) return earlier.hash
    const hash = await hashInSlices(await env.readBytes(path, { maxBytes }))
    // A second write soon after the first may leave the file's time the same.
    if (isSettled(stat.mtimeMs, at)) known.set(path, { stat, hash })
    else known.delete(path)
    return hash
  }
  return {
    async read() {
      const compared = await mapAtOnce(files, AT_ONCE, async ({ path, after }): Promise<readonly DiskChange[]> => {
        try {
          const now = (await isHere(path)) ? await hashNow(path) : after
          return now === after ? [] : [{ path, now }]
        } catch {
          return []
        }
      })
      return compared.flat()
    },
    onChange: (changed) => (isWatchable ? watchFolders([...new Set(files.map(({ path }) => dirname(path)))], changed) : every(changed)),
  }
}

const isSame = (a: FileStat, b: FileStat): boolean => a.mtimeMs === b.mtimeMs && a.size === b.size && a.inode === b.inode
