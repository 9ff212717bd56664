import { type BigIntStats, lstatSync, readdirSync } from 'node:fs'
import { createSlices } from '../../../agent/event-loop-slices.ts'
import type { LayerFile } from '../../../agent/ports/layers.ts'
import { orNull } from '../../environment-failure.ts'
import type { SmallFiles } from '../small-files.ts'
import { parentOf, reachedFrom } from '../reached-paths.ts'
import { type Put, storedBelow } from '../stored-file.ts'

/** Reads from the real folder on which version a file of the layer is based. */
export interface LowerVersions {
  /**
   * The file's version in the real folder, null if there is none. If it may have been replaced since a program inside saw it, the version
   * inside is unknown. Then an empty file is returned, so that a merge shows both sides instead of taking back what the user changed.
   */
  baseOf(path: string, upper: BigIntStats | null): Promise<LayerFile | null>
  /** The files and links in a folder, at any depth, that are not ignored. Relative to the real folder. */
  filesBelow(path: string): Promise<readonly string[]>
  isFolder(path: string): boolean
  /** Whether something that was looked at has changed since the layer was fresh. */
  readonly hasMoved: boolean
}

interface LowerParts {
  /** The real path of the folder. */
  readonly folder: string
  /** Since when the layer may show old versions, in ns since 1970. */
  readonly since: bigint
  readonly isIgnored: IsIgnored
  readonly put: Put
  /** Reads small files below the folder. */
  readonly small: SmallFiles
}

type IsIgnored = (path: string, isFolder: boolean) => boolean

export function lowerVersions({ folder, since, isIgnored, put, small }: LowerParts): LowerVersions {
  const state = { hasMoved: false }
  const isReached = reachedFrom(folder)
  const statsOf = (path: string): BigIntStats | null =>
    isReached(path) ? orNull(() => lstatSync(`${folder}/${path}`, { bigint: true })) : null
  const folders = new Map<string, { readonly isSame: boolean; readonly hasSameEntries: boolean }>()
  /** Whether a folder is the one that the layer has shown since it was fresh, and whether no entry of it was added or removed. */
  const stateOf = (path: string): { readonly isSame: boolean; readonly hasSameEntries: boolean } => {
    const known = folders.get(path)
    if (known) return known
    const stats = statsOf(path)
    // The layer shows the folder itself for as long as it is mounted.
    const above = path === '' ? { isSame: true, hasSameEntries: true } : stateOf(parentOf(path))
    const isUntouched = stats !== null && stats.ctimeNs < since
    const found = {
      isSame: above.isSame && stats?.isDirectory() === true && (isUntouched || above.hasSameEntries),
      hasSameEntries: stats !== null && stats.mtimeNs < since,
    }
    folders.set(path, found)
    return found
  }
  const isKnown = (path: string, lower: BigIntStats, upper: BigIntStats | null): boolean => {
    const above = stateOf(parentOf(path))
    if (!above.isSame) return false
    if (lower.ctimeNs < since) return true
    // It was written in place, so programs inside see what was written. What they copied before that is older.
    return above.hasSameEntries && upper !== null && upper.birthtimeNs > lower.ctimeNs
  }
  return {
    async baseOf(path, upper) {
      const lower = statsOf(path)
      if (lower === null || !(lower.isFile() || lower.isSymbolicLink())) return null
      const isCertain = isKnown(path, lower, upper)
      if (!isCertain || lower.ctimeNs >= since) state.hasMoved = true
      if (!isCertain) return { hash: await put(new Uint8Array(0)), size: 0, mode: lower.isFile() ? Number(lower.mode) & 0o777 : null }
      return storedBelow(folder, path, small, put)
    },
    filesBelow: (path) => filesBelow(folder, path, isIgnored),
    isFolder: (path) => statsOf(path)?.isDirectory() === true,
    get hasMoved() {
      return state.hasMoved
    },
  }
}

/** The files and links in a folder below `root`, at any depth, that are not ignored. Relative to `root`. */
export async function filesBelow(root: string, path: string, isIgnored: IsIgnored): Promise<readonly string[]> {
  const slice = createSlices()
  const files: string[] = []
  const waiting = [path]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    await slice()
    for (const entry of orNull(() => readdirSync(`${root}/${at}`, { withFileTypes: true })) ?? []) {
      const inner = `${at}/${entry.name}`
      if (isIgnored(inner, entry.isDirectory())) continue
      if (entry.isDirectory()) waiting.push(inner)
      else if (entry.isFile() || entry.isSymbolicLink()) files.push(inner)
    }
  }
  return files
}
