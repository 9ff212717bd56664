import type { IgnoredTree } from '../../../agent/ports/command-copies.ts'
import { createSlices } from '../../../agent/event-loop-slices.ts'
import { ignoredBelow } from '../../search/ignore/folder-ignore-rules.ts'
import { bytesLeftBelow } from './folder-entries.ts'
import { hasEntries, walkInThread } from './tree-thread.ts'

/** Minimum number of files in a tree. In a folder with fewer files, each file is shown by itself and can be undone. */
const FEWEST_FILES = 200

export type TreeAt = (path: string) => Promise<IgnoredTree | null>

/** Returns whether a file is a control file, by its path relative to the folder. */
export type IsControl = (path: string) => boolean

/**
 * Recognizes new folders that the real folder's ignore rules exclude. Such folders are moved as a unit. Null if a folder must be walked
 * file by file, because it is not ignored, is small, or contains something that must be shown to the user before it is moved: control files
 * (except those of packages), sockets, devices, set-user-id bits, names that are not UTF-8.
 */
export function ignoredTrees(up: string, folder: string, isControl: IsControl): TreeAt {
  let isIgnored: ReturnType<typeof ignoredBelow> | null = null
  return async (path) => {
    if (path === '.git' || path.startsWith('.git/') || isControl(path)) return null
    isIgnored ??= ignoredBelow(folder)
    if (!isIgnored(path, true)) return null
    const isPackages = path.split('/').includes('node_modules')
    const mustBeShown = isPackages ? null : (inner: string): boolean => isControl(`${path}/${inner}`)
    return largeTreeAt(`${up}/${path}`, mustBeShown, Math.min(bytesLeftBelow(`${up}/${path}`), bytesLeftBelow(`${folder}/${path}`)))
  }
}

/**
 * The tree of a folder. Null if the folder contains something that must be shown to the user before it is moved. Rejects with a coded
 * failure if the folder cannot be read.
 */
export async function treeAt(at: string): Promise<IgnoredTree | null> {
  return (await walkInThread({ at, longest: bytesLeftBelow(at), wantsPaths: false }))?.tree ?? null
}

/** The tree of a folder with many files. Null if the folder has few files, or if its files must be shown one by one. */
async function largeTreeAt(at: string, mustBeShown: ((inner: string) => boolean) | null, longest: number): Promise<IgnoredTree | null> {
  // For a small folder, the thread would take longer than reading the files one by one.
  if (!(await hasEntries(at, FEWEST_FILES))) return null
  const found = await walkInThread({ at, longest, wantsPaths: mustBeShown !== null })
  const slice = createSlices()
  for (const piece of found?.paths ?? [])
    for (const path of piece.split('\0')) {
      if (mustBeShown?.(path)) return null
      await slice()
    }
  return found && found.tree.files >= FEWEST_FILES ? found.tree : null
}
