import type { BlobHash } from '../lib/ids.ts'
import type { MovedFrom } from './effects.ts'

/** One file or symbolic link before and after a step; null: none. Its bytes, or a link's target, are in the blob store. */
export interface FileChange {
  readonly path: string
  readonly shown: string
  readonly before: BlobHash | null
  readonly after: BlobHash | null
  readonly beforeBytes: number
  readonly afterBytes: number
  /** POSIX permission bits before and after; null: no file, or a link. */
  readonly beforeMode: number | null
  readonly afterMode: number | null
  /** What `before` and `after` are. Absent: a regular file, or none. */
  readonly beforeKind?: 'link'
  readonly afterKind?: 'link'
  /** For a moved file, the differences from its old place. */
  readonly lines: { readonly added: number; readonly removed: number } | null
  /** The file was moved here from this path, which the same step deleted. Absent: not moved. */
  readonly movedFrom?: MovedFrom
}

/** A folder before and after a step: its permission bits; null: no folder. Folders that a new file needed are listed too. */
export interface FolderChange {
  readonly path: string
  readonly shown: string
  readonly before: number | null
  readonly after: number | null
}

/** Created and deleted folders, and those with another mode, that no changed file is in: people see the others by their files. */
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
  /** At most 2,000 characters. */
  readonly command: string
  /** It ran for real, so its files were found by comparing the folder before and after. Absent: its copy knows them exactly. */
  readonly compared?: ComparedFolder
  /** It ran in the background, so others may have made some of the changes that were found. Absent: the changes are its own. */
  readonly inBackground?: true
}

/** How far a folder was compared. Ignored files and `.git` never are. */
interface ComparedFolder {
  /** Files compared. */
  readonly files: number
  /** What the budget left out, as sentences. Empty: nothing. */
  readonly leftOut: readonly string[]
}

/** A file whose state after a step is unknown, and why, in the system's or the store's words. */
export interface UnreadFile {
  readonly path: string
  readonly shown: string
  readonly why: string
}

/** A new or changed control file or folder that was moved out of the folder. `path`: from the folder. */
export interface SetAside {
  readonly path: string
  /** Where it is now; null: it could not be moved. */
  readonly keptAt: string | null
  /** The file that a program could change, because somebody had replaced it, is as before. Absent: nothing has come back to the path. */
  readonly isRestored?: true
}

/** For the agent, and for what a hook or server says. */
export function setAsideWords(found: readonly SetAside[]): string {
  const moved = found.filter(({ keptAt, isRestored }) => keptAt !== null && !isRestored).map(({ path }) => path)
  const words = `Moved out of the folder, because programs that run confined may not make control files: ${moved.join(', ')}. To create one, use an edit tool, which asks the person.`
  return [...(moved.length > 0 ? [words] : []), ...restoredWords(found), ...unmovedWords(found)].join(' ')
}

/** A sentence about the control files of which the earlier version is back; none if there are none. */
export function restoredWords(found: readonly SetAside[]): readonly string[] {
  const paths = found.flatMap(({ path, isRestored }) => (isRestored ? [path] : []))
  return paths.length === 0
    ? []
    : [
        `Restored to their last known version, because they were replaced while a confined program ran and could change them: ${paths.join(', ')}.`,
      ]
}

/** A sentence about the control files that could not be moved; none if all were. */
export function unmovedWords(found: readonly SetAside[]): readonly string[] {
  const paths = found.filter(({ keptAt }) => keptAt === null).map(({ path }) => path)
  return paths.length === 0
    ? []
    : [`Still in the folder, because they could not be moved: ${paths.join(', ')}. Delete them before anything reads them.`]
}

/** A sentence about where the moved files are; empty if none was. */
export function keptWords(found: readonly SetAside[]): string {
  const places = found.flatMap(({ keptAt }) => (keptAt === null ? [] : [keptAt]))
  return places.length === 0 ? '' : `They are kept: ${places.join(', ')}.`
}
