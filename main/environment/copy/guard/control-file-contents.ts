import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, type Stats } from 'node:fs'
import type { Disposable } from '../../../../shared/lib/disposable.ts'
import { Emitter } from '../../../../shared/lib/emitter.ts'
import type { SignedFile } from '../../../agent/ports/command-copies.ts'
import { hashOf } from '../../../agent/blob-hash.ts'
import { isSettled } from '../../comparison/read-folder.ts'
import { statsOf } from './control-file-listing.ts'

/** Maximum size in bytes of a control file whose content is compared and kept. A larger file is known only by its identity. */
const MOST_BYTES = 1024 ** 2
/** Maximum number of bytes that are kept of all control files together. */
const MOST_KEPT = 32 * 1024 ** 2

/** The state of a control file or folder at one moment. */
export interface StandingControl {
  /** Identifies this exact file or folder. If a later file reuses the inode, its creation time differs. */
  readonly identity: string
  /** When it last changed, in ms since 1970. */
  readonly changedAt: number
  /** When it was created, in ms since 1970. 0 if the file system does not record it. */
  readonly bornAt: number
  readonly kind: 'file' | 'link' | 'folder' | 'other'
  /** Null for a folder, or if the content cannot be compared. */
  readonly content: ControlContent | null
}

interface ControlContent {
  readonly hash: string
  /** For a link, its target. Null if the bytes were not kept. */
  readonly bytes: Uint8Array | null
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

interface Known {
  readonly stamp: string
  readonly standing: StandingControl
}

/** Reads control files. Returns null if there is nothing at the path. */
export interface ControlFileContents {
  /**
   * Reads a file again only after its change time has changed. A program that has mapped the file can change it without a new time, so use
   * this only for files that no confined command can write.
   */
  known(path: string): StandingControl | null
  /** Always reads the file. */
  now(path: string): StandingControl | null
}

export function createControlContents(folder: string): ControlFileContents {
  const known = new Map<string, Known>()
  let room = MOST_KEPT
  const forget = (path: string): void => {
    room += known.get(path)?.standing.content?.bytes?.length ?? 0
    known.delete(path)
  }
  const read = (path: string, mayBeKnown: boolean): StandingControl | null => {
    const at = Date.now()
    const found = statsOf(`${folder}/${path}`)
    if (!found) {
      forget(path)
      return null
    }
    const stamp = [found.dev, found.ino, found.ctimeMs, found.size].join(':')
    const before = known.get(path)
    if (mayBeKnown && before?.stamp === stamp) return before.standing
    forget(path)
    const standing = standingOf(`${folder}/${path}`, found, room)
    if (!isSettled(found.ctimeMs, at)) return standing
    known.set(path, { stamp, standing })
    room -= standing.content?.bytes?.length ?? 0
    return standing
  }
  return { known: (path) => read(path, true), now: (path) => read(path, false) }
}

function standingOf(path: string, found: Stats, room: number): StandingControl {
  const identity = `${found.dev}:${found.ino}:${found.birthtimeMs}`
  const own = { identity, changedAt: found.ctimeMs, bornAt: found.birthtimeMs }
  if (found.isDirectory()) return { ...own, kind: 'folder', content: null }
  const bytes = bytesAt(path, found)
  if (bytes === null) return { ...own, kind: 'other', content: null }
  const { mode, uid, gid } = found
  const kept = bytes.length <= room ? bytes : null
  return {
    ...own,
    kind: found.isSymbolicLink() ? 'link' : 'file',
    content: { hash: hashOf(bytes), bytes: kept, mode: mode & 0o7777, uid, gid },
  }
}

/** Null if it is too large, is neither a file nor a link, or has changed in the meantime. Never blocks on a fifo. */
function bytesAt(path: string, { dev, ino, size, ...found }: Stats): Uint8Array | null {
  try {
    if ((found.mode & constants.S_IFMT) === constants.S_IFLNK) return readlinkSync(path, 'buffer')
    if (size > MOST_BYTES) return null
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const now = fstatSync(file)
      return now.isFile() && now.ino === ino && now.dev === dev && now.size === size ? readFileSync(file) : null
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}

/** Whether the content is the same, or, if the content is not known, whether both are the same file, link or folder. */
export function isSameControl(one: StandingControl, other: StandingControl): boolean {
  if (one.kind !== other.kind) return false
  return one.content === null ? one.identity === other.identity : one.content.hash === other.content?.hash
}

/** What signed steps have written to control files, while the app runs. */
export interface SignedFiles {
  add(files: readonly SignedFile[]): void
  /** The SHA-256 of every content that was signed for an absolute path. For a link, the SHA-256 of its target. */
  at(path: string): ReadonlySet<string>
  /** Calls the listener with the files of each later `add`, before anybody writes them. */
  onAdd(listener: (files: readonly SignedFile[]) => void): Disposable
}

const NONE: ReadonlySet<string> = new Set()

/** Shared by everything that runs confined in the same folders. */
export function createSignedFiles(): SignedFiles {
  const signed = new Map<string, Set<string>>()
  const added = new Emitter<readonly SignedFile[]>()
  return {
    onAdd: added.event,
    add(files) {
      for (const { path, hash } of files) signed.set(path, (signed.get(path) ?? new Set()).add(hash))
      added.fire(files)
    },
    at: (path) => signed.get(path) ?? NONE,
  }
}
