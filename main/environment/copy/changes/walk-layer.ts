import type { BigIntStats } from 'node:fs'
import { chmod, readdir } from 'node:fs/promises'
import type { CopyChange, CopyChangeSet, CopyObstacle, StandingEntry } from '../../../agent/ports/command-copies.ts'
import { codeOf } from '../../environment-failure.ts'
import { bytesLeftBelow, entryOf, isSameEntry, statsAt } from './folder-entries.ts'
import type { TreeAt } from './ignored-tree.ts'
import { opaqueAmong } from './opaque-folders.ts'

const MAX_FILES = 20_000
/** Number of folders that are compared at the same time. Each mostly waits for the disk. */
const FOLDERS_AT_ONCE = 8
/** Git objects have names derived from their content, so a changed time alone is not a change. */
const WITHOUT_TIME = /(?:^|\/)\.git\/objects\//

/** What has been found so far. */
export interface Found {
  readonly changes: CopyChange[]
  readonly obstacles: CopyObstacle[]
  readonly leftOut: CopyChangeSet['leftOut'][number][]
  /** Folders that were removed and created again. */
  readonly replaced: Set<string>
  files: number
  bytes: number
  readonly maxBytes: number
}

interface Walk {
  readonly up: string
  readonly folder: string
  readonly found: Found
  readonly treeAt: TreeAt
}

/**
 * How a folder of the upper layer relates to the real folder. `merged`: the real entries show through. `replaced`: all of them are
 * replaced. `new`: there is no real folder.
 */
type Relation = 'merged' | 'replaced' | 'new'

/** Compares one folder of the upper layer with the real one. */
export async function walkLayer(walk: Walk, folder: string, relation: Relation): Promise<void> {
  const names = await namesIn(walk, `${walk.up}/${folder}`, folder)
  const inner: string[] = []
  for (const name of names) {
    if (isFull(walk.found)) return
    const path = folder === '' ? name : `${folder}/${name}`
    if (!isTooLong(walk, path) && (await compare(walk, path, relation))) inner.push(path)
  }
  if (relation === 'replaced') {
    const kept = new Set(names)
    for (const name of await namesIn(walk, `${walk.folder}/${folder}`, folder))
      if (!kept.has(name)) await deleted(walk, `${folder}/${name}`)
  }
  if (inner.length === 0) return
  const opaque = relation === 'replaced' ? new Set(inner) : await opaqueAmong(walk.up, inner)
  for (const path of opaque) walk.found.replaced.add(path)
  for (let from = 0; from < inner.length; from += FOLDERS_AT_ONCE) {
    const next = inner.slice(from, from + FOLDERS_AT_ONCE)
    await Promise.all(next.map((path) => walkLayer(walk, path, opaque.has(path) ? 'replaced' : 'merged')))
  }
}

/** Whether the system cannot reach this path in the layer or in the folder. If so, the change set cannot be signed. */
function isTooLong({ up, folder, found }: Walk, path: string): boolean {
  const isLong = Buffer.byteLength(path) > Math.min(bytesLeftBelow(up), bytesLeftBelow(folder))
  if (isLong && !found.obstacles.some(({ kind }) => kind === 'long-path')) found.obstacles.push({ kind: 'long-path', path })
  return isLong
}

/** Compares the entries at a path. Returns true if both are folders, whose contents the caller must then compare. */
async function compare(walk: Walk, path: string, relation: Relation): Promise<boolean> {
  const upper = await statsAt(`${walk.up}/${path}`)
  // Below a new folder, nothing is looked up in the real folder, because a link at the new folder's path would lead elsewhere.
  const lower = relation === 'new' ? null : await statsAt(`${walk.folder}/${path}`)
  if (!upper) return false
  if (upper.isCharacterDevice() && upper.rdev === 0n) {
    await deleted(walk, path)
    return false
  }
  // A sparse file may have any size, so it is not read before its size is known to be allowed.
  if (upper.isFile() && isTooLarge(walk, Number(upper.size))) return false
  await makeReadable(`${walk.up}/${path}`, upper)
  const after = await readEntry(walk, path, () => entryOf(`${walk.up}/${path}`, upper))
  if (after === 'obstacle') return false
  if (!after) {
    walk.found.leftOut.push({ path, what: whatIs(upper) })
    return false
  }
  if (upper.isFile() && upper.nlink > 1n) walk.found.leftOut.push({ path, what: 'hard-link' })
  if (hasSetId(upper, lower)) walk.found.leftOut.push({ path, what: 'set-id-bits' })
  const before = lower && (await realEntry(walk, path, lower))
  if (before?.kind === after.kind) {
    const isChanged = modified(walk, path, before, after)
    // The file's other hard links in the folder keep the old bytes.
    if (isChanged && upper.nlink === 1n && lower?.isFile() && lower.nlink > 1n) walk.found.leftOut.push({ path, what: 'hard-link' })
    return after.kind === 'folder'
  }
  if (lower) await deleted(walk, path)
  // If the owner lacked rights, they were just granted above, so the original mode is checked.
  const isOpen = after.kind === 'folder' && (after.mode & 0o700) === 0o700
  const tree = isOpen && !lower ? await walk.treeAt(path) : null
  if (tree) {
    add(walk, { kind: 'created', path, after: tree })
    return false
  }
  add(walk, { kind: 'created', path, after: withoutInode(after) })
  if (after.kind === 'folder') await walkLayer(walk, path, 'new')
  return false
}

/** Returns true if the entry is listed as a change. */
function modified(walk: Walk, path: string, before: StandingEntry, after: StandingEntry): boolean {
  const isOtherTime = before.kind === 'file' && after.kind === 'file' && before.mtimeMs !== after.mtimeMs && !WITHOUT_TIME.test(path)
  const isSame = isSameEntry(before, after)
  // The owner of an existing entry is not changed, because no effect would show it.
  if (isSame && before.owner !== after.owner) walk.found.leftOut.push({ path, what: 'owner' })
  const isChanged = !isSame || isOtherTime
  if (isChanged) add(walk, { kind: 'modified', path, before, after: withoutInode(after) })
  return isChanged
}

/** Adds the deletion of an entry and of everything in it, so that each file can be seen and compared. */
async function deleted(walk: Walk, path: string): Promise<void> {
  if (isFull(walk.found) || isTooLong(walk, path)) return
  const at = `${walk.folder}/${path}`
  const lower = await statsAt(at)
  if (!lower) return
  const before = await realEntry(walk, path, lower)
  if (!before) {
    if (!lower.isFile()) walk.found.leftOut.push({ path, what: whatIs(lower) })
    return
  }
  add(walk, { kind: 'deleted', path, before })
  if (before.kind === 'folder') for (const name of await realNames(walk, path)) await deleted(walk, `${path}/${name}`)
}

/**
 * The command may have removed read access to what it created. The layer belongs to Countersign, so the access is granted again. The
 * original mode was read before.
 */
async function makeReadable(at: string, found: BigIntStats): Promise<void> {
  const needed = found.isDirectory() ? 0o700 : found.isFile() ? 0o400 : 0
  const mode = Number(found.mode) & 0o7777
  if ((mode & needed) !== needed) await chmod(at, mode | needed)
}

async function realEntry(walk: Walk, path: string, lower: BigIntStats): Promise<StandingEntry | null> {
  const entry = await readEntry(walk, path, () => entryOf(`${walk.folder}/${path}`, lower))
  return entry === 'obstacle' ? null : entry
}

async function readEntry(
  { found }: Walk,
  path: string,
  read: () => Promise<StandingEntry | null>,
): Promise<StandingEntry | null | 'obstacle'> {
  try {
    return await read()
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'EACCES' && code !== 'EILSEQ') throw error
    found.obstacles.push({ kind: code === 'EACCES' ? 'unreadable-file' : 'unreadable-link', path })
    return 'obstacle'
  }
}

function add({ found }: Walk, change: CopyChange): void {
  found.changes.push(change)
  found.files += 1
  if (found.files > MAX_FILES) found.obstacles.push({ kind: 'too-many-files', limit: MAX_FILES })
  if (change.kind !== 'deleted' && change.after.kind === 'file') addBytes(found, change.after.size)
}

/** Whether the change set would be too large with these bytes. If so, it cannot be signed. */
function isTooLarge({ found }: Walk, bytes: number): boolean {
  const isOver = found.bytes + bytes > found.maxBytes
  if (isOver) addBytes(found, bytes)
  return isOver
}

/** Files of several folders are read at the same time, so they may be too large together although none of them was alone. */
function addBytes(found: Found, bytes: number): void {
  const wasFull = isFull(found)
  found.bytes += bytes
  if (!wasFull && found.bytes > found.maxBytes) found.obstacles.push({ kind: 'too-many-bytes', limit: found.maxBytes })
}

const isFull = ({ files, bytes, maxBytes }: Found): boolean => files > MAX_FILES || bytes > maxBytes

async function realNames(walk: Walk, path: string): Promise<readonly string[]> {
  try {
    return await namesIn(walk, `${walk.folder}/${path}`, path)
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error
    walk.found.obstacles.push({ kind: 'unreadable-file', path })
    return []
  }
}

/** Names that are not UTF-8 cannot be shown, and therefore cannot be signed. */
async function namesIn({ found }: Walk, at: string, folder: string): Promise<readonly string[]> {
  const names: string[] = []
  for (const bytes of await readdir(at, { encoding: 'buffer' })) {
    const name = bytes.toString('utf8')
    if (Buffer.compare(Buffer.from(name), bytes) === 0) names.push(name)
    else found.obstacles.push({ kind: 'unreadable-name', path: folder === '' ? name : `${folder}/${name}` })
  }
  return names.toSorted()
}

const SET_ID = 0o6000n
const hasSetId = (upper: BigIntStats, lower: BigIntStats | null): boolean =>
  (upper.mode & SET_ID & ~(lower?.mode ?? 0n)) !== 0n && !upper.isDirectory()

function whatIs(found: BigIntStats): 'socket' | 'fifo' | 'device' {
  if (found.isSocket()) return 'socket'
  return found.isFIFO() ? 'fifo' : 'device'
}

function withoutInode({ inode: _inode, ...entry }: StandingEntry) {
  return entry
}
