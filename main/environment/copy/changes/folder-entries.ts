import { createHash, hash } from 'node:crypto'
import { type BigIntStats, closeSync, constants, lstatSync, openSync, readFileSync } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { createSlices } from '../../../agent/event-loop-slices.ts'
import type { CopiedEntry, StandingEntry } from '../../../agent/ports/command-copies.ts'
import { targetOfLink } from '../../files/read-regular-file.ts'
import { codeOf } from '../../environment-failure.ts'

/** Permission bits without set-uid and set-gid, which are never applied. */
const PERMISSIONS = 0o1777

/** The kernel accepts only paths with fewer bytes. */
const PATH_MAX = 4_096

/** How many bytes a path relative to this folder may have. Negative if the system cannot reach anything below. */
export const bytesLeftBelow = (folder: string): number => PATH_MAX - 2 - Buffer.byteLength(folder)

/**
 * The entry at a path, without its bytes. Null if there is nothing, or only a socket, fifo or device, which a change set cannot contain.
 * Rejects with `EILSEQ` for a link whose target is not UTF-8.
 */
export async function entryAt(path: string): Promise<StandingEntry | null> {
  // Synchronous, because change sets have thousands of entries, and a request to a thread takes longer than reading one.
  await slice()
  const found = unlessNothing(() => lstatSync(path, { bigint: true }))
  return found && entryOf(path, found)
}

const slice = createSlices()

export const statsAt = (path: string): Promise<BigIntStats | null> => lstat(path, { bigint: true }).catch(nothing)

function nothing(error: unknown): null {
  if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
  throw error
}

function unlessNothing<T>(look: () => T): T | null {
  try {
    return look()
  } catch (error) {
    return nothing(error)
  }
}

export async function entryOf(path: string, found: BigIntStats): Promise<StandingEntry | null> {
  const own = { inode: `${found.dev}:${found.ino}`, ...ownerOf(found) }
  const mode = Number(found.mode) & PERMISSIONS
  if (found.isDirectory()) return { kind: 'folder', mode, ...own }
  if (found.isSymbolicLink()) return { kind: 'link', target: await targetOfLink(path), ...own }
  if (!found.isFile()) return null
  return {
    kind: 'file',
    mode,
    size: Number(found.size),
    hash: await hashOf(path, Number(found.size)),
    mtimeMs: Number(found.mtimeNs) / 1e6,
    ...own,
  }
}

/** The owner is needed only for root, because only root can give files to other users. */
function ownerOf({ uid, gid }: BigIntStats): { readonly owner?: string } {
  return process.geteuid?.() === 0 && (uid !== 0n || gid !== 0n) ? { owner: `${uid}:${gid}` } : {}
}

/** Files up to this size (bytes) are read synchronously. */
const SMALL = 64 * 1024
/** Larger files up to this size (bytes) are read in one piece, because a stream is several times slower for small files. */
const READ_AT_ONCE = 1024 ** 2
/** Never follows a link, and never blocks on a fifo. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

async function hashOf(path: string, size: number): Promise<string> {
  if (size <= SMALL) return hashOfSmall(path)
  const handle = await open(path, FLAGS)
  const all = createHash('sha256')
  if (size <= READ_AT_ONCE) {
    try {
      return all.update(await handle.readFile()).digest('hex')
    } finally {
      await handle.close()
    }
  }
  // Reading to the end also closes the file.
  for await (const bytes of handle.createReadStream()) all.update(bytes as Buffer)
  return all.digest('hex')
}

function hashOfSmall(path: string): string {
  const file = openSync(path, FLAGS)
  try {
    return hash('sha256', readFileSync(file), 'hex')
  } finally {
    closeSync(file)
  }
}

/** Whether the entry is still the same and unchanged: inode, kind, mode and content. */
export function isUntouched(now: StandingEntry | null, before: StandingEntry): boolean {
  if (now === null || now.inode !== before.inode) return false
  return isSameEntry(now, before)
}

/** Compares kind, mode and content. Does not compare the time. Does not compare the owner either, because the owner is never changed. */
export function isSameEntry(a: CopiedEntry, b: CopiedEntry): boolean {
  if (a.kind === 'link') return b.kind === 'link' && a.target === b.target
  if (a.kind === 'folder') return b.kind === 'folder' && a.mode === b.mode
  if (a.kind === 'tree') return b.kind === 'tree' && a.hash === b.hash
  return b.kind === 'file' && a.mode === b.mode && a.size === b.size && a.hash === b.hash
}
