import { createHash, type Hash } from 'node:crypto'
import { lstat, readdir, readlink } from 'node:fs/promises'
import type { IgnoredTree } from '../../../agent/ports/command-copies.ts'
import { createSlices } from '../../../agent/event-loop-slices.ts'
import { mapAtOnce } from '../../../../shared/lib/map-at-once.ts'
import { ignoredBelow } from '../../search/ignore/folder-ignore-rules.ts'

/** Folders with fewer files are shown file by file, and can be undone. */
const FEWEST_FILES = 200
/** Each waits for the disk most of the time. */
const AT_ONCE = 16
const PERMISSIONS = 0o1777
const SET_ID = 0o6000
/** Needed to move the folder, and to walk it. */
const OWN_RIGHTS = 0o700
const LONGEST_PATH = 4_096

export type TreeAt = (path: string) => Promise<IgnoredTree | null>

/** Which of our files decide what runs, by paths from the folder. */
export type IsControl = (path: string) => boolean

/**
 * Recognizes new folders that the real folder's ignore rules leave out, to be taken as a whole. Null: it is to be walked file by file,
 * since it is not ignored, small, or holds what is not moved unseen: control files (but those of packages), sockets, devices, set-user-id
 * bits, names that are not UTF-8.
 */
export function ignoredTrees(up: string, folder: string, isControl: IsControl): TreeAt {
  let isIgnored: ((path: string) => boolean) | null = null
  return async (path) => {
    if (path === '.git' || path.startsWith('.git/') || isControl(path)) return null
    isIgnored ??= ignoredBelow(folder)
    // A path below it is ignored where the folder itself is.
    if (!isIgnored(`${path}/x`)) return null
    const isPackages = path.split('/').includes('node_modules')
    return treeAt(`${up}/${path}`, (inner) => !isPackages && isControl(`${path}/${inner}`), {
      longest: LONGEST_PATH - Buffer.byteLength(path),
    })
  }
}

/** The tree of a folder; null: it holds what may not be moved unseen, or few files. */
export async function treeAt(
  at: string,
  mustBeShown: (inner: string) => boolean,
  { longest = LONGEST_PATH, fewest = FEWEST_FILES }: { readonly longest?: number; readonly fewest?: number } = {},
): Promise<IgnoredTree | null> {
  const found = await lstat(at)
  const walk: Walk = { at, hash: createHash('sha256'), slice: createSlices(), files: 0, bytes: 0, mustBeShown, longest }
  const isPlain = (found.mode & OWN_RIGHTS) === OWN_RIGHTS && (await walkFolder(walk, ''))
  if (!isPlain || walk.files < fewest) return null
  return { kind: 'tree', mode: found.mode & PERMISSIONS, files: walk.files, bytes: walk.bytes, hash: walk.hash.digest('hex'), held: '' }
}

interface Walk {
  readonly at: string
  readonly hash: Hash
  readonly slice: () => Promise<void>
  files: number
  bytes: number
  readonly mustBeShown: (inner: string) => boolean
  readonly longest: number
}

/** Files between two turns of the event loop. */
const PIECE = 64

/** In the order of names, one folder at a time, so that nothing is collected and sorted at the end. False: something may not be moved unseen. */
async function walkFolder(walk: Walk, folder: string): Promise<boolean> {
  const names = await readdir(`${walk.at}/${folder}`, { encoding: 'buffer' }).catch(() => null)
  if (names === null) return false
  const folders: string[] = []
  const sorted = names.toSorted(Buffer.compare)
  for (let from = 0; from < sorted.length; from += PIECE) {
    const rows = await mapAtOnce(sorted.slice(from, from + PIECE), AT_ONCE, (name) => rowOf(walk, folder, name))
    for (const row of rows) {
      if (row === null) return false
      if (row.isFolder) folders.push(row.path)
      walk.hash.update(row.text)
    }
    await walk.slice()
  }
  for (const path of folders) if (!(await walkFolder(walk, path))) return false
  return true
}

interface Row {
  readonly path: string
  readonly isFolder: boolean
  readonly text: string
}

/** Null: it may not be moved unseen. */
async function rowOf(walk: Walk, folder: string, bytes: Buffer): Promise<Row | null> {
  const name = bytes.toString('utf8')
  const path = folder === '' ? name : `${folder}/${name}`
  if (Buffer.compare(Buffer.from(name), bytes) !== 0 || Buffer.byteLength(path) > walk.longest || walk.mustBeShown(path)) return null
  const found = await lstat(`${walk.at}/${path}`)
  const mode = found.mode & PERMISSIONS
  if (found.isDirectory())
    return (found.mode & OWN_RIGHTS) === OWN_RIGHTS ? { path, isFolder: true, text: `${path}\0folder ${mode}\n` } : null
  walk.files += 1
  walk.bytes += found.size
  if (found.isSymbolicLink()) return { path, isFolder: false, text: `${path}\0link ${await readlink(`${walk.at}/${path}`)}\n` }
  const isPlain = found.isFile() && (found.mode & SET_ID) === 0
  return isPlain ? { path, isFolder: false, text: `${path}\0file ${mode} ${found.size} ${found.mtimeMs}\n` } : null
}
