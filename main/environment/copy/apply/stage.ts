import { hash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsync,
  futimesSync,
  lchownSync,
  lstatSync,
  openSync,
  readFileSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { copyFile, lchown, lstat, mkdir, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { codeOf, orNull } from '../../environment-failure.ts'
import type { Step } from './apply-order.ts'
import { entryAt } from '../changes/folder-entries.ts'
import { treeAt } from '../changes/ignored-tree.ts'
import { copyEntry } from '../guard/entries-by-handle.ts'
import type { Layer } from '../overlay-layer.ts'
import { type Ground, idsOf } from './apply-steps.ts'

type Put = Extract<Step, { kind: 'put' }>

/**
 * The folder in which files are prepared before they are moved into the project. It must be on the same mount as the project, because only
 * then is a move atomic. Returns the layer's own folder if it is on that mount, otherwise a new folder in the project.
 */
export async function stagingFor(layer: Layer, folder: string): Promise<string> {
  const ours = await lstat(layer.staged)
  const theirs = await lstat(folder)
  if (ours.dev === theirs.dev && mountOf(layer.staged) === mountOf(folder)) return layer.staged
  return join(folder, `.countersign-${randomBytes(8).toString('hex')}.tmp`)
}

/**
 * The id of the mount that contains a folder. Two mounts of one disk have different ids, as a folder and a volume in a container do, and the
 * kernel cannot move a file between them. Null on systems other than Linux.
 */
function mountOf(folder: string): string | null {
  const opened = openSync(folder, constants.O_RDONLY)
  try {
    return /^mnt_id:\s*(\d+)/mu.exec(readFileSync(`/proc/self/fdinfo/${opened}`, 'utf8'))?.[1] ?? null
  } catch {
    return null
  } finally {
    closeSync(opened)
  }
}

type Changed = Pick<Put, 'path'> & { readonly hash: string }

/** The new bytes of changed files. */
export interface NewBytes {
  read(file: Changed): Promise<Uint8Array>
  /** Writes them to a path where nothing exists yet. */
  write(file: Changed, to: string): Promise<void>
}

export const fromLayer = ({ up }: Layer): NewBytes => ({
  read: ({ path }) => Promise.resolve(readFileSync(join(up, path))),
  write: ({ path }, to) => copyFile(join(up, path), to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE),
})

/** Files up to this size (bytes) are written synchronously, because a request to a thread takes longer than writing a small file. */
const SMALL = 64 * 1024

/** Creates the new file or link in its final state: bytes, mode, time, owner. The bytes of a file are synced to the disk. */
export async function stage({ staging, folder }: Ground, { path, staged, after }: Put, newBytes: NewBytes): Promise<void> {
  const at = join(staging, staged)
  if (after.kind === 'link') {
    await symlink(after.target, at)
    if (after.owner !== undefined) await lchown(at, ...idsOf(after.owner))
    return
  }
  if (after.kind !== 'file') throw new Error(`${path} is a folder, but a file is expected here.`)
  const file = { path, hash: after.hash }
  const written = after.size <= SMALL ? writeSmall(at, await newBytes.read(file)) : await writeLarge(at, (to) => newBytes.write(file, to))
  try {
    if (written.hash !== after.hash) throw new Error(`${path}: the bytes do not match the change set.`)
    const original = orNull(() => lstatSync(join(folder, path)))
    giveOwner(at, original, after.owner)
    await syncFile(written.fd)
    fchmodSync(written.fd, after.mode | keptBits(original, fstatSync(written.fd)))
    futimesSync(written.fd, after.mtimeMs / 1e3, after.mtimeMs / 1e3)
  } finally {
    closeSync(written.fd)
  }
}

/** An open file, and the hash of its bytes. */
interface Written {
  readonly fd: number
  readonly hash: string
}

function writeSmall(at: string, bytes: Uint8Array): Written {
  const fd = openSync(at, 'wx', 0o600)
  try {
    writeFileSync(fd, bytes)
    return { fd, hash: hash('sha256', bytes, 'hex') }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** The file is read again, because the bytes may have been copied by the file system. */
async function writeLarge(at: string, write: (to: string) => Promise<void>): Promise<Written> {
  await write(at)
  chmodSync(at, 0o600)
  const now = await entryAt(at)
  return { fd: openSync(at, 'r'), hash: now?.kind === 'file' ? now.hash : '' }
}

const syncFile = promisify(fsync)

type PutTree = Extract<Step, { kind: 'put-tree' }>

/** Moves a complete folder to a place from which a single rename can finish the move. `from`: the path where the folder is now. */
export async function stageTree({ staging }: Ground, { path, staged, tree }: PutTree, from: string): Promise<void> {
  const at = join(staging, staged)
  const waits = await treeAt(from)
  if (waits?.hash !== tree.hash) throw new Error(`${path}: the stored tree does not match the change set.`)
  try {
    await rename(from, at)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    await copyEntry(from, at)
  }
}

/** As root, keeps the owner of a changed file, and gives a new file the owner that the command set. */
function giveOwner(staged: string, original: Stats | null, owner: string | undefined): void {
  if (process.geteuid?.() !== 0) return
  if (original?.isFile() === true) lchownSync(staged, original.uid, original.gid)
  else if (owner !== undefined) lchownSync(staged, ...idsOf(owner))
}

/** The set-user-id bit of a replaced file if the new file has the same owner, and its set-group-id bit if it has the same group. */
function keptBits(original: Stats | null, staged: Stats): number {
  if (original?.isFile() !== true) return 0
  return original.mode & ((original.uid === staged.uid ? 0o4000 : 0) | (original.gid === staged.gid ? 0o2000 : 0))
}

export async function makeStaging(staging: string): Promise<void> {
  try {
    // `mkdir` is not recursive here, because on a read-only file system a recursive call would fail with ENOENT.
    await mkdir(staging, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}
