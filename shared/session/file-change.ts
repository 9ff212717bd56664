import { listedNames } from '../lib/short-count.ts'
import type { BlobHash } from '../lib/ids.ts'
import type { MovedFrom } from './effects.ts'

/**
 * One file or symbolic link before and after a step. A version is null if there is none. The file's bytes or the link's target are in the
 * blob store.
 */
export interface FileChange {
  readonly path: string
  readonly shown: string
  readonly before: BlobHash | null
  readonly after: BlobHash | null
  readonly beforeBytes: number
  readonly afterBytes: number
  /** POSIX permission bits before and after. Null if there is no file, or if it is a link. */
  readonly beforeMode: number | null
  readonly afterMode: number | null
  /** The kinds of `before` and `after`. If a kind is absent, there is a regular file on that side, or no file. */
  readonly beforeKind?: 'link'
  readonly afterKind?: 'link'
  /** Changed lines. For a moved file, the differences from the file at its old path. */
  readonly lines: { readonly added: number; readonly removed: number } | null
  /** The old path of the file, which the same step deleted. If absent, the file was not moved. */
  readonly movedFrom?: MovedFrom
}

/** The permission bits of a folder before and after a step. Null if there is no folder. Folders that a new file needed are listed too. */
export interface FolderChange {
  readonly path: string
  readonly shown: string
  readonly before: number | null
  readonly after: number | null
}

/**
 * Returns the folders that were created or deleted, or whose permission bits changed, except those that contain a changed file, because the
 * file itself shows its folder.
 */
export function foldersWithoutFiles<F extends FolderChange>(
  folders: readonly F[],
  files: readonly { readonly path: string }[],
): readonly F[] {
  const filled = new Set<string>()
  for (const { path } of files)
    for (let at = path.lastIndexOf('/'); at > 0 && !filled.has(path.slice(0, at)); at = path.lastIndexOf('/', at - 1))
      filled.add(path.slice(0, at))
  return folders.filter(({ path, before, after }) => before !== after && !filled.has(path))
}

/** The command whose run changed files. */
export interface MadeBy {
  /** Command line, at most 2,000 characters. */
  readonly command: string
  /**
   * Set if the command ran for real, so that its changes were found by comparing the folder before and after. If absent, the command ran in
   * a copy, whose changes are known exactly.
   */
  readonly compared?: ComparedFolder
  /**
   * Set if the command ran in the background, so that others may have made some of the changes that were found. If absent, all of them are
   * attributed to the command.
   */
  readonly inBackground?: true
}

/** The extent of a comparison of a folder. Ignored files and `.git` are never compared. */
interface ComparedFolder {
  /** Number of files that were compared. */
  readonly files: number
  /** What the comparison left out and why, as sentences. Empty if nothing was left out. */
  readonly leftOut: readonly string[]
}

/** A file whose state after a step is unknown, and why, in the words of the system or the store. */
export interface UnreadFile {
  readonly path: string
  readonly shown: string
  readonly why: string
}

/** A new or changed control file or folder that had to be moved out of the project folder. `path` is relative to that folder. */
export interface SetAside {
  readonly path: string
  /** The new place. Null if the file could not be moved. */
  readonly keptAt: string | null
  /**
   * Set if the last known version was put back at `path`, because a confined program could have changed it. If absent, no version was put
   * back.
   */
  readonly isRestored?: true
}

/**
 * Describes what happened to these control files (moved, restored or still there), for the agent and for the messages of hooks and servers.
 */
export function setAsideWords(found: readonly SetAside[]): string {
  const moved = found.filter(({ keptAt, isRestored }) => keptAt !== null && !isRestored).map(({ path }) => path)
  const words = `Moved out of the folder, because programs that run confined may not make control files: ${moved.join(', ')}. To create one, use an edit tool, which asks the user.`
  return [...(moved.length > 0 ? [words] : []), ...restoredWords(found), ...unmovedWords(found)].join(' ')
}

/** A sentence about the control files whose last known version was put back. No sentence if there are none. */
export function restoredWords(found: readonly SetAside[]): readonly string[] {
  const paths = found.flatMap(({ path, isRestored }) => (isRestored ? [path] : []))
  return paths.length === 0
    ? []
    : [
        `Restored to their last known version, because they were replaced while a confined program ran and could change them: ${paths.join(', ')}.`,
      ]
}

/** A sentence about the control files that could not be moved. No sentence if all were moved. */
export function unmovedWords(found: readonly SetAside[]): readonly string[] {
  const paths = found.filter(({ keptAt }) => keptAt === null).map(({ path }) => path)
  return paths.length === 0
    ? []
    : [`Still in the folder, because they could not be moved: ${paths.join(', ')}. Delete them before anything reads them.`]
}

/** A sentence about the new place of the moved files. Empty if none was moved. */
export function keptWords(found: readonly SetAside[]): string {
  const places = found.flatMap(({ keptAt }) => (keptAt === null ? [] : [keptAt]))
  return places.length === 0 ? '' : `They are kept: ${places.join(', ')}.`
}

/**
 * An entry of a layer that differs from the folder's, and is not brought in, because only files and links are. `path` is relative to the
 * folder. `link`: one whose target is not UTF-8. `set-id-bits`: the bits of a file, whose content is brought in. `isRemoved`: the layer
 * lacks what the folder has. A folder is listed if it is empty or removed.
 */
export interface LeftInLayer {
  readonly path: string
  readonly what: 'link' | 'folder' | 'fifo' | 'socket' | 'device' | 'set-id-bits'
  readonly isRemoved: boolean
}

/** Maximum number of paths in a sentence. */
const MAX_NAMES = 20

const WORDS = {
  link: 'link whose target is not UTF-8',
  folder: 'folder',
  fifo: 'pipe',
  socket: 'socket',
  device: 'device',
  'set-id-bits': 'set-id bits',
} as const satisfies Readonly<Record<LeftInLayer['what'], string>>

/** Says what differs in a layer and is not brought in, as at most one sentence. */
export function leftInLayerWords({ leftOut = [] }: { readonly leftOut?: readonly LeftInLayer[] }): readonly string[] {
  if (leftOut.length === 0) return []
  const named = leftOut.map(
    ({ path, what, isRemoved }) => `${path} (${isRemoved ? 'removed ' : what === 'folder' ? 'empty ' : ''}${WORDS[what]})`,
  )
  return [`Not brought in, because only files and links are: ${listedNames(named, MAX_NAMES)}.`]
}
