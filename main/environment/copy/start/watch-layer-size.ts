import type { Stats } from 'node:fs'
import { lstat, readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoredBelow } from '../../search/ignore/folder-ignore-rules.ts'

/** The time between two checks, in ms. */
const LOOK_MS = 250
/**
 * Minimum number of free bytes on the disk, because the user's own programs need some. If fewer are free, the command in the copy is
 * stopped.
 */
const LEAST_FREE = 256 * 1024 ** 2

export interface SizeWatch {
  /** Aborted when the layer has grown above its limit or the disk is about to be full. Its reason is a sentence. */
  readonly signal: AbortSignal
  stop(): void
}

export interface Watched {
  /** The folder with the command's changes. */
  readonly layer: string
  /**
   * The folder whose ignore rules determine which files are not counted. Ignored packages and builds stay in the layer and are later moved
   * unchanged.
   */
  readonly folder: string
  readonly maxBytes: number
  /** Another folder in which the command writes. Its size is included. */
  readonly beside?: string | undefined
  /**
   * The folder that contains what the session's commands wrote below home. The same limit applies to it, but it is measured separately. It
   * may be on any disk, and it may not exist.
   */
  readonly home?: string | undefined
  /** A file that the command can write to. Its size is included. */
  readonly file?: string | undefined
  /** Minimum number of free bytes. If left out, 256 MB. */
  readonly leastFree?: number
}

export function watchSize(watched: Watched): SizeWatch {
  const full = new AbortController()
  const isIgnored = ignoredBelow(watched.folder)
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const look = async (): Promise<void> => {
    const begun = performance.now()
    const reason = await whyStop(watched, isIgnored).catch(() => null)
    if (reason !== null) full.abort(reason)
    // Counting many files takes long. The pause grows with it, so that most of the time is left to the command.
    else if (!isStopped) timer = setTimeout(() => void look(), Math.max(LOOK_MS, 4 * (performance.now() - begun)))
  }
  timer = setTimeout(() => void look(), LOOK_MS)
  return {
    signal: full.signal,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

type IsIgnored = (path: string) => boolean

async function whyStop(watched: Watched, isIgnored: IsIgnored): Promise<string | null> {
  const { layer, maxBytes, beside, home, file, leastFree = LEAST_FREE } = watched
  for (const place of home === undefined ? [layer] : [layer, home])
    if ((await freeAt(place)) < leastFree) return 'The command was stopped: the disk with its copy is almost full.'
  const counted = await sizeOf(layer, maxBytes, isIgnored)
  const size =
    counted +
    (beside === undefined ? 0 : await sizeOf(beside, maxBytes, () => false)) +
    (file === undefined ? 0 : blocksOf(await lstat(file).catch(() => null)))
  const limit = `${Math.round(maxBytes / 1024 ** 2)} MB`
  if (home !== undefined && (await sizeOf(home, maxBytes, () => false)) > maxBytes)
    return `The command was stopped: commands of this session wrote more than ${limit} under the home folder. Everything they wrote there was discarded.`
  return size <= maxBytes
    ? null
    : `The command was stopped: it wrote more than ${limit} into its copy of the folder${beside === undefined ? '' : ' and /tmp'}. Files that git ignores do not count.`
}

/** The number of free bytes on the disk of a folder. Unlimited if there is no such folder. */
async function freeAt(folder: string): Promise<number> {
  const found = await statfs(folder).catch(() => null)
  return found === null ? Infinity : found.bavail * found.bsize
}

/** The bytes on disk of all files in the folder, at any depth, that are not ignored. Stops counting at `enough`. */
async function sizeOf(folder: string, enough: number, isIgnored: IsIgnored): Promise<number> {
  let bytes = 0
  const waiting = ['']
  for (let at = waiting.pop(); at !== undefined && bytes <= enough; at = waiting.pop()) {
    const entries = await readdir(join(folder, at), { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      // Git's own data is ignored by searches, but is counted here.
      const counts = path === '.git' || path.startsWith('.git/') || !isIgnored(entry.isDirectory() ? `${path}/x` : path)
      if (!counts) continue
      if (entry.isDirectory()) waiting.push(path)
      else if (entry.isFile()) bytes += blocksOf(await lstat(join(folder, path)).catch(() => null))
    }
  }
  return bytes
}

const blocksOf = (found: Stats | null): number => (found ? found.blocks * 512 : 0)
