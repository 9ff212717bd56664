import { groupedCount, listedNames } from '../../../shared/lib/short-count.ts'
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
  const earlier: FoundChange[] = []
  const created: FoundChange[] = []
  const unkept: string[] = []
  const movedIn: string[] = []
  let unlisted = 0
  const all = differing(before, after)
  const isMovedIn = createIsMovedIn(before, all.paths, after)
  for (const path of all.paths) {
    const was = before.files.get(path) ?? null
    const now = after.files.get(path) ?? (was && !isBelowLink(path, after) ? seenNow(after.folder, path) : null)
    if (!mayDiffer(was, now, before.at)) continue
    if (was === null && !isAdded(path, before)) continue
    if (was === null && now && isMovedIn(now)) {
      movedIn.push(path)
      continue
    }
    const change = changeOf(path, was, now && withBytes(after.folder, path, now, budget))
    const list = was === null ? created : earlier
    if (change === 'same') continue
    if (change === 'not-kept') unkept.push(path)
    else if (list.length < MAX_CHANGES) list.push(change)
    else unlisted++
  }
  // An undo deletes the created files that are listed. They may be copies of earlier files, so those are listed first.
  const kept = created.slice(0, MAX_CHANGES - earlier.length)
  unlisted += created.length - kept.length
  const changes = [...earlier, ...kept].sort((a, b) => (a.path < b.path ? -1 : 1))
  const leftOut = [
    ...new Set([...before.leftOut, ...after.leftOut]),
    ...named('Changed, but too large to be kept for comparison', unkept),
    ...named('Moved here from a place that was not compared, so an undo does not change it', movedIn),
    ...unlistedWords(unlisted),
  ]
  return { changes, folders: changedFolders(before, after), files: all.count, leftOut }
}

/**
 * Whether a file that is new at its path was moved there from a place that the first reading did not include: an ignored place, or one
 * beyond the budget. An undo must not delete such a file, because it could not restore it at its old path.
 */
function createIsMovedIn(before: FolderReading, paths: readonly string[], after: FolderReading): (now: SeenFile) => boolean {
  const lost = (): ReadonlySet<bigint> =>
    new Set(
      paths.flatMap((path) => {
        const was = before.files.get(path)
        return was?.bytes === null && was.stamp.size > 0n && !after.files.has(path) ? [was.stamp.size] : []
      }),
    )
  const kept = (): ReadonlySet<bigint> =>
    new Set([...before.files.values()].flatMap(({ bytes, stamp }) => (bytes === null ? [] : [stamp.ino])))
  let lostSizes: ReadonlySet<bigint> | null = null
  let keptInodes: ReadonlySet<bigint> | null = null
  return ({ bornAt, stamp }) => {
    lostSizes ??= lost()
    if (lostSizes.has(stamp.size)) return true
    if (bornAt === 0 || !isSettled(bornAt, before.at)) return false
    keptInodes ??= kept()
    return !keptInodes.has(stamp.ino)
  }
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

/** The folders that were added, removed or given other permissions. */
function changedFolders(before: FolderReading, after: FolderReading): readonly FoundFolder[] {
  const paths = [...new Set([...before.folders.keys(), ...after.folders.keys()])].filter((path) => path !== '').sort()
  return paths
    .flatMap((path): readonly FoundFolder[] => {
      const was = before.folders.get(path) ?? null
      const now = after.folders.get(path) ?? (isBelowLink(path, after) ? null : folderModeNow(after.folder, path))
      if (was === now || (was === null && !isAdded(path, before))) return []
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

/** A file written in the same tick as it was read can have the same stamp. */
function mayDiffer(was: SeenFile | null, now: SeenFile | null, readAt: number): boolean {
  return !sameStamp(was?.stamp, now?.stamp) || (was !== null && !isSettled(was.changedAt, readAt))
}

/**
 * Whether the path did not exist at the first reading: the nearest listed folder above it did not contain the next part of the path. A path
 * that the first reading ignored, or left out because of its budget, may have existed.
 */
function isAdded(path: string, { listed, folders, ignored }: FolderReading): boolean {
  const parts = path.split('/')
  for (let depth = parts.length - 1; depth >= 0; depth--) {
    if (!listed.has(parts.slice(0, depth).join('/'))) continue
    const next = parts.slice(0, depth + 1).join('/')
    return !ignored.has(next) && (depth === parts.length - 1 || !folders.has(next))
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
  const before = fileOf(was)
  const after = fileOf(now)
  const isSame = before && after && before.mode === after.mode && Buffer.compare(before.bytes, after.bytes) === 0
  return isSame ? 'same' : { path, before, after }
}

const fileOf = (file: SeenFile | null): ComparedFile => (file?.bytes ? { bytes: file.bytes, mode: file.mode } : null)

function named(what: string, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return []
  return [`${what}: ${listedNames(paths, MAX_NAMES)}.`]
}

const unlistedWords = (count: number): readonly string[] =>
  count === 0 ? [] : [`${groupedCount(count)} more changed files are not listed.`]
