import { join } from 'node:path'
import type { ComparedFile, FoundChange, FoundChanges, FoundFolder } from '../../agent/ports/folder-comparison.ts'
import {
  bytesOf,
  folderModeNow,
  type FolderReading,
  isSettled,
  type ReadingBudget,
  sameStamp,
  type SeenFile,
  seenNow,
} from './read-folder.ts'

/** Maximum number of changed files that one comparison lists. Further files are only counted. */
const MAX_CHANGES = 1000
/** Maximum number of names in a sentence. */
const MAX_NAMES = 10

/** The differences between two readings of a folder, with the bytes of both sides. */
export function compareReadings(before: FolderReading, after: FolderReading, budget: ReadingBudget): FoundChanges {
  const changes: FoundChange[] = []
  const unkept: string[] = []
  let unlisted = 0
  const all = differing(before, after)
  const rulesChanged = all.paths.some((path) => isRules(path) && !sameStamp(stampOf(before, path), stampOf(after, path)))
  for (const path of all.paths) {
    const was = before.files.get(path) ?? null
    const now = after.files.get(path) ?? (was && !isBelowLink(path, after) ? seenNow(after.folder, path) : null)
    if (!mayDiffer(was, now, before.at)) continue
    if (was === null && now && !isNew(path, now, before, rulesChanged)) continue
    const change = changeOf(path, was, now && withBytes(after.folder, path, now, budget))
    if (change === 'same') continue
    if (change === 'not-kept') unkept.push(path)
    else if (changes.length < MAX_CHANGES) changes.push(change)
    else unlisted++
  }
  const leftOut = [...new Set([...before.leftOut, ...after.leftOut]), ...unkeptWords(unkept), ...unlistedWords(unlisted)]
  return { changes, folders: changedFolders(before, after, rulesChanged), files: all.count, leftOut }
}

/**
 * The paths that may differ, sorted, and the number of files that are in at least one reading. A file is unchanged if both readings contain
 * the same object for it.
 */
function differing(before: FolderReading, after: FolderReading): { readonly paths: readonly string[]; readonly count: number } {
  const paths: string[] = []
  for (const [path, was] of before.files) if (was !== after.files.get(path) || mayDiffer(was, was, before.at)) paths.push(path)
  let added = 0
  for (const path of after.files.keys()) {
    if (before.files.has(path)) continue
    paths.push(path)
    added++
  }
  return { paths: paths.sort(), count: before.files.size + added }
}

/**
 * The folders that were added, removed or given other permissions. If the ignore rules have changed, no folder counts as added, because a
 * folder that was ignored until now looks like a new one.
 */
function changedFolders(before: FolderReading, after: FolderReading, rulesChanged: boolean): readonly FoundFolder[] {
  const paths = [...new Set([...before.folders.keys(), ...after.folders.keys()])].filter((path) => path !== '').sort()
  return paths
    .flatMap((path): readonly FoundFolder[] => {
      const was = before.folders.get(path) ?? null
      const now = after.folders.get(path) ?? (isBelowLink(path, after) ? null : folderModeNow(after.folder, path))
      if (was === now || (was === null && (rulesChanged || !isAdded(path, before)))) return []
      return [{ path, before: was, after: now }]
    })
    .slice(0, MAX_CHANGES)
}

/** Whether a link has replaced a folder above this path, so that the path leads elsewhere. */
function isBelowLink(path: string, { files }: FolderReading): boolean {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    if (files.get(path.slice(0, at))?.mode === null) return true
  return false
}

const isRules = (path: string): boolean => path === '.gitignore' || path.endsWith('/.gitignore')
const stampOf = ({ files }: FolderReading, path: string): SeenFile['stamp'] | undefined => files.get(path)?.stamp

/** A file written in the same tick as it was read can have the same stamp. */
function mayDiffer(was: SeenFile | null, now: SeenFile | null, readAt: number): boolean {
  return !sameStamp(was?.stamp, now?.stamp) || (was !== null && !isSettled(was.changedAt, readAt))
}

/**
 * Whether a file that is missing in the first reading is really new. A file that the first reading ignored, or left out because of its
 * budget, is not.
 */
function isNew(path: string, now: SeenFile, before: FolderReading, rulesChanged: boolean): boolean {
  return !(rulesChanged && isSettled(now.changedAt, before.at)) && isAdded(path, before)
}

/** Whether the path did not exist at the first reading: the nearest listed folder above it did not contain the next part of the path. */
function isAdded(path: string, { listed, folders }: FolderReading): boolean {
  const parts = path.split('/')
  for (let depth = parts.length - 1; depth >= 0; depth--) {
    const above = parts.slice(0, depth).join('/')
    if (!listed.has(above)) continue
    return depth === parts.length - 1 || !folders.has(parts.slice(0, depth + 1).join('/'))
  }
  return false
}

function withBytes(folder: string, path: string, now: SeenFile, { fileBytes }: ReadingBudget): SeenFile {
  if (now.bytes !== null) return now
  return { ...now, bytes: now.stamp.size <= fileBytes ? bytesOf(join(folder, path), now) : null }
}

function changeOf(path: string, was: SeenFile | null, now: SeenFile | null): FoundChange | 'same' | 'not-kept' {
  if ((was !== null && was.bytes === null) || (now !== null && now.bytes === null))
    return sameStamp(was?.stamp, now?.stamp) ? 'same' : 'not-kept'
  const [before, after] = [fileOf(was), fileOf(now)]
  const isSame = before && after && before.mode === after.mode && Buffer.compare(before.bytes, after.bytes) === 0
  return isSame ? 'same' : { path, before, after }
}

const fileOf = (file: SeenFile | null): ComparedFile => (file?.bytes ? { bytes: file.bytes, mode: file.mode } : null)

function unkeptWords(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return []
  const more = paths.length - MAX_NAMES
  const names = more > 0 ? `${paths.slice(0, MAX_NAMES).join(', ')} and ${more} more` : paths.join(', ')
  return [`Changed, but too large to be kept for comparison: ${names}.`]
}

const unlistedWords = (count: number): readonly string[] =>
  count === 0 ? [] : [`${count.toLocaleString('en-US')} more changed files are not listed.`]
