import { createHash } from 'node:crypto'
import { lstat, readdir, readlink } from 'node:fs/promises'
import type { IgnoredTree } from '../../../agent/ports/command-copies.ts'
import { mapAtOnce } from '../../../../shared/lib/map-at-once.ts'
import { ignoredBelow } from '../../search/ignore/folder-rules.ts'

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

interface Walked {
  readonly rows: string[]
  files: number
  bytes: number
}

/** The tree of a folder; null: it holds what may not be moved unseen, or few files. */
export async function treeAt(
  at: string,
  mustBeShown: (inner: string) => boolean,
  { longest = LONGEST_PATH, fewest = FEWEST_FILES }: { readonly longest?: number; readonly fewest?: number } = {},
): Promise<IgnoredTree | null> {
  const found = await lstat(at)
  const walked: Walked = { rows: [], files: 0, bytes: 0 }
  const isPlain = (found.mode & OWN_RIGHTS) === OWN_RIGHTS && (await walk(at, '', { walked, mustBeShown, longest }))
  if (!isPlain || walked.files < fewest) return null
  const hash = createHash('sha256')
  for (const row of walked.rows.toSorted()) hash.update(row)
  return { kind: 'tree', mode: found.mode & PERMISSIONS, files: walked.files, bytes: walked.bytes, hash: hash.digest('hex'), held: '' }
}

interface Walk {
  readonly walked: Walked
  readonly mustBeShown: (inner: string) => boolean
  readonly longest: number
}

/** False: something in it may not be moved unseen. */
async function walk(at: string, folder: string, parts: Walk): Promise<boolean> {
  const { walked, mustBeShown, longest } = parts
  const folders: string[] = []
  const names = await readdir(`${at}/${folder}`, { encoding: 'buffer' }).catch(() => null)
  if (names === null) return false
  const fits = await mapAtOnce(names, AT_ONCE, async (bytes) => {
    const name = bytes.toString('utf8')
    const path = folder === '' ? name : `${folder}/${name}`
    if (Buffer.compare(Buffer.from(name), bytes) !== 0 || Buffer.byteLength(path) > longest || mustBeShown(path)) return false
    const found = await lstat(`${at}/${path}`)
    const mode = found.mode & PERMISSIONS
    if (found.isDirectory()) {
      folders.push(path)
      walked.rows.push(`${path}\0folder ${mode}\n`)
      return (found.mode & OWN_RIGHTS) === OWN_RIGHTS
    }
    walked.files += 1
    if (found.isSymbolicLink()) walked.rows.push(`${path}\0link ${await readlink(`${at}/${path}`)}\n`)
    else walked.rows.push(`${path}\0file ${mode} ${found.size} ${found.mtimeMs}\n`)
    walked.bytes += found.size
    return found.isSymbolicLink() || (found.isFile() && (found.mode & SET_ID) === 0)
  })
  if (fits.includes(false)) return false
  for (const path of folders) if (!(await walk(at, path, parts))) return false
  return true
}
