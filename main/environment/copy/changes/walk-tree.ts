import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readlinkSync } from 'node:fs'
import type { IgnoredTree } from '../../../agent/ports/command-copies.ts'

const PERMISSIONS = 0o1777
const SET_ID = 0o6000
/** The permission bits needed to move the folder and to walk it. */
const OWN_RIGHTS = 0o700
/** Number of paths that are passed on together. */
const PIECE = 1_000

export interface WalkedTree {
  readonly tree: IgnoredTree
  /** The paths in the folder, in pieces that contain paths joined by NUL characters. Empty unless requested. */
  readonly paths: readonly string[]
}

export interface TreeToWalk {
  readonly at: string
  /** Maximum number of bytes of a path in the folder. */
  readonly longest: number
  readonly wantsPaths: boolean
}

/**
 * Reads a folder with everything in it. Null if the folder contains sockets, devices, set-user-id bits, names that are not UTF-8, paths
 * that are too long, or folders that may not be read. Stored change sets of earlier versions contain the tree's hash, so the way it is
 * computed must not change. Takes a second for 100,000 files, so it runs in a thread.
 */
export function walkTree({ at, longest, wantsPaths }: TreeToWalk): WalkedTree | null {
  const top = lstatSync(at)
  if ((top.mode & OWN_RIGHTS) !== OWN_RIGHTS) return null
  const hash = createHash('sha256')
  const pieces: string[] = []
  let piece: string[] = []
  let files = 0
  let bytes = 0
  const waiting = ['']
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const names = namesIn(`${at}/${folder}`)
    if (names === null) return null
    const folders: string[] = []
    for (const name of names) {
      const row = rowOf({ at, longest }, folder, name)
      if (row === null) return null
      hash.update(row.text)
      if (row.bytes === null) folders.push(row.path)
      else {
        files += 1
        bytes += row.bytes
      }
      if (wantsPaths) piece.push(row.path)
    }
    if (piece.length >= PIECE) {
      pieces.push(piece.join('\0'))
      piece = []
    }
    for (const inner of folders.toReversed()) waiting.push(inner)
  }
  if (piece.length > 0) pieces.push(piece.join('\0'))
  return { tree: { kind: 'tree', mode: top.mode & PERMISSIONS, files, bytes, hash: hash.digest('hex'), held: '' }, paths: pieces }
}

/** Sorted by their bytes. Null if the folder cannot be read. */
function namesIn(folder: string): readonly Buffer[] | null {
  try {
    return readdirSync(folder, { encoding: 'buffer' }).toSorted(Buffer.compare)
  } catch {
    return null
  }
}

interface Row {
  readonly path: string
  /** Null for a folder. */
  readonly bytes: number | null
  readonly text: string
}

/** Null if the entry must be shown to the user before it is moved. */
function rowOf({ at, longest }: Omit<TreeToWalk, 'wantsPaths'>, folder: string, bytes: Buffer): Row | null {
  const name = bytes.toString('utf8')
  if (Buffer.compare(Buffer.from(name), bytes) !== 0) return null
  const path = folder === '' ? name : `${folder}/${name}`
  if (Buffer.byteLength(path) > longest) return null
  const found = lstatSync(`${at}/${path}`)
  const mode = found.mode & PERMISSIONS
  if (found.isDirectory()) return (found.mode & OWN_RIGHTS) === OWN_RIGHTS ? { path, bytes: null, text: `${path}\0folder ${mode}\n` } : null
  if (found.isSymbolicLink()) return { path, bytes: found.size, text: `${path}\0link ${readlinkSync(`${at}/${path}`)}\n` }
  const isPlain = found.isFile() && (found.mode & SET_ID) === 0
  return isPlain ? { path, bytes: found.size, text: `${path}\0file ${mode} ${found.size} ${found.mtimeMs}\n` } : null
}
