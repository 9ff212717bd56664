import { groupedCount, listedNames } from '../../../shared/lib/short-count.ts'
import { type BigIntStats, closeSync, constants, type Dirent, lstatSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { orNull } from '../environment-failure.ts'
import { type FolderRules, rulesOf } from '../search/ignore/folder-ignore-rules.ts'

/** Limits for one reading of a folder. */
export interface ReadingBudget {
  readonly files: number
  readonly ms: number
  /** Maximum number of bytes that are kept of each file (`fileBytes`) and of all files together (`totalBytes`). */
  readonly fileBytes: number
  readonly totalBytes: number
}

/** What is read: a folder, without the `excluded` paths below it. */
export interface ReadFolder {
  readonly folder: string
  readonly budget: ReadingBudget
  readonly excluded?: readonly string[]
}

type Stamp = Pick<BigIntStats, 'size' | 'mtimeNs' | 'ctimeNs' | 'ino' | 'mode'>

/** A regular file or a link, as it was when the folder was read. */
export interface SeenFile {
  /** Stays the same until somebody writes to the file. A write soon after `changedAt` may not change it either. */
  readonly stamp: Stamp
  /** Permission bits. Null for a link, whose target is in `bytes`. */
  readonly mode: number | null
  /** When content or permissions changed, in ms since 1970. */
  readonly changedAt: number
  /** When the file was created, in ms since 1970. A move keeps it. 0 or `changedAt` if the file system does not store it. */
  readonly bornAt: number
  /** Null if the bytes were not kept because of the budget or a failure. */
  readonly bytes: Buffer | null
}

export interface FolderReading {
  readonly folder: string
  readonly at: number
  readonly files: ReadonlyMap<string, SeenFile>
  /** `listed`: folders whose entries are all known. `folders`: permission bits of the folders that exist. '' is the folder itself. */
  readonly listed: ReadonlySet<string>
  readonly folders: ReadonlyMap<string, number>
  /** Files and folders that existed but were ignored. Nothing below an ignored folder is in this set. */
  readonly ignored: ReadonlySet<string>
  readonly leftOut: readonly string[]
  /** Whether the limits of files, time and all bytes together left nothing out. */
  readonly isWhole: boolean
}

/** Maximum number of names in a sentence. */
const MAX_NAMES = 10

/** File systems take change times from a clock that ticks at least every 10 ms. */
export const SAME_TICK_MS = 20
/** Some file systems store times without fractions of a second, in steps of one or two seconds. */
const COARSE_TICK_MS = 2_000

/** Whether a later change would give the entry a different change time. `now`: a moment before the entry was read. */
export const isSettled = (changedAt: number, now: number): boolean =>
  now - changedAt > (changedAt % 1_000 === 0 ? COARSE_TICK_MS : SAME_TICK_MS)

/**
 * Synchronously reads the files and links below a folder, except ignored ones. If a file has the same stamp in `known`, its bytes are taken
 * from there instead of the disk.
 */
export function readFolder({ folder, budget, excluded = [] }: ReadFolder, known: ReadonlyMap<string, SeenFile>): FolderReading {
  const at = Date.now()
  const until = performance.now() + budget.ms
  const files = new Map<string, SeenFile>()
  const listed = new Set<string>()
  const folders = new Map([['', 0]])
  const ignored = new Set<string>()
  const undecodable: string[] = []
  let bytesLeft = budget.totalBytes
  let unreadable = 0
  let stoppedBy: 'files' | 'ms' | null = null
  let isWhole = true

  const takeFile = (path: string): void => {
    const stat = statOf(`${folder}/${path}`)
    if (!stat || !isCompared(stat)) return
    const before = known.get(path)
    if (before && before.bytes !== null && isSettled(before.changedAt, at) && sameStamp(before.stamp, stat)) {
      bytesLeft -= before.bytes.length
      files.set(path, before)
      return
    }
    const file = seen(stat)
    const isKept = Number(stat.size) <= budget.fileBytes
    const fits = Number(stat.size) <= bytesLeft && performance.now() < until
    if (isKept && !fits) isWhole = false
    const bytes = isKept && fits ? bytesOf(join(folder, path), file) : null
    bytesLeft -= bytes?.length ?? 0
    files.set(path, { ...file, bytes })
  }
  // Files are read before the folders next to them. The budget may run out, and the files that a user works on are near the top.
  const waiting: { readonly path: string; readonly rules: FolderRules }[] = [{ path: '', rules: rulesOf(folder) }]
  for (let next = waiting.shift(); next && stoppedBy === null; next = waiting.shift()) {
    const { path, rules } = next
    const entries = entriesOf(join(folder, path), (name) => undecodable.push(path === '' ? name : `${path}/${name}`))
    if (entries === null) unreadable++
    for (const entry of entries ?? []) {
      stoppedBy ??= files.size >= budget.files ? 'files' : performance.now() > until ? 'ms' : null
      if (stoppedBy !== null) break
      const own = path === '' ? entry.name : `${path}/${entry.name}`
      const isFolder = entry.isDirectory()
      if (excluded.includes(own)) continue
      if (rules.ignores(entry.name, isFolder)) ignored.add(own)
      else if (isFolder) {
        folders.set(own, modeOf(join(folder, own)))
        waiting.push({ path: own, rules: rules.enter(entry.name) })
      } else if (isCompared(entry)) takeFile(own)
    }
    if (stoppedBy === null && entries !== null) listed.add(path)
  }
  const leftOut = [...stopWords(stoppedBy, budget), ...unreadableWords(unreadable), ...undecodableWords(undecodable)]
  return { folder, at, files, listed, folders, ignored, leftOut, isWhole: isWhole && stoppedBy === null }
}

function stopWords(stoppedBy: 'files' | 'ms' | null, { files, ms }: ReadingBudget): readonly string[] {
  if (stoppedBy === 'files') return [`The folder has more than ${groupedCount(files)} files; the remaining files were not compared.`]
  return stoppedBy === 'ms' ? [`Reading the folder took more than ${ms / 1000} s; the rest of the folder was not compared.`] : []
}

const unreadableWords = (count: number): readonly string[] =>
  count === 0 ? [] : [`${count === 1 ? '1 folder' : `${count} folders`} could not be read and compared.`]

function undecodableWords(names: readonly string[]): readonly string[] {
  if (names.length === 0) return []
  return [`Not compared, because the name is not UTF-8: ${listedNames(names.toSorted(), MAX_NAMES)}.`]
}

const isCompared = (entry: Dirent | BigIntStats): boolean => entry.isFile() || entry.isSymbolicLink()

/** Permission bits of a folder. 0 if the folder is gone. */
function modeOf(path: string): number {
  const stat = statOf(path)
  return stat ? Number(stat.mode) & 0o7777 : 0
}

/** The current permission bits of a folder. Null if there is no folder. */
export function folderModeNow(folder: string, path: string): number | null {
  const stat = statOf(join(folder, path))
  return stat?.isDirectory() ? Number(stat.mode) & 0o7777 : null
}

/** The current state of a file or link. Null if there is none. */
export function seenNow(folder: string, path: string): SeenFile | null {
  const stat = statOf(join(folder, path))
  return stat && isCompared(stat) ? { ...seen(stat), bytes: null } : null
}

function seen(stat: BigIntStats): Omit<SeenFile, 'bytes'> {
  const { size, mtimeNs, ctimeNs, ino, mode } = stat
  return {
    stamp: { size, mtimeNs, ctimeNs, ino, mode },
    mode: stat.isSymbolicLink() ? null : Number(mode) & 0o7777,
    changedAt: Number(ctimeNs / 1_000_000n),
    bornAt: Number(stat.birthtimeNs / 1_000_000n),
  }
}

export function sameStamp(a: Stamp | undefined, b: Stamp | undefined): boolean {
  if (!a || !b) return a === b
  return a.ctimeNs === b.ctimeNs && a.mtimeNs === b.mtimeNs && a.size === b.size && a.ino === b.ino && a.mode === b.mode
}

const statOf = (path: string): BigIntStats | undefined =>
  orNull(() => lstatSync(path, { bigint: true, throwIfNoEntry: false })) ?? undefined
/** The bytes of a file, or the target of a link. Null if they cannot be read. */
export function bytesOf(path: string, { mode }: Pick<SeenFile, 'mode'>): Buffer | null {
  if (mode !== null) return orNull(() => readPlainFile(path))
  const target = orNull(() => readlinkSync(path, { encoding: 'buffer' }))
  // Links are created from text, so a target that is not valid UTF-8 cannot be used.
  return target && Buffer.from(target.toString()).equals(target) ? target : null
}

/** A command may have put a link or a fifo in the place of the file: the link is not followed, and the fifo does not block. */
function readPlainFile(path: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * A folder's entries whose names are UTF-8. Null if the folder cannot be read. Calls `onUndecodable` with each other name, with every
 * non-ASCII byte escaped, such as `\xff`.
 */
function entriesOf(path: string, onUndecodable: (name: string) => void): readonly Dirent[] | null {
  const entries = orNull(() => readdirSync(path, { withFileTypes: true }))
  if (!entries?.some(({ name }) => name.includes(REPLACEMENT))) return entries
  // Different names that are not UTF-8 may be decoded to the same text, which may also be the actual name of another file.
  const whole = new Set<string>()
  for (const bytes of orNull(() => readdirSync(path, { encoding: 'buffer' })) ?? []) {
    const name = bytes.toString()
    if (Buffer.from(name).equals(bytes)) whole.add(name)
    else onUndecodable(bytes.toString('latin1').replaceAll(/[\x80-\xff]/gu, (char) => `\\x${char.charCodeAt(0).toString(16)}`))
  }
  return entries.filter(({ name }) => whole.delete(name))
}

/** Node decodes bytes that are not UTF-8 as this character. */
const REPLACEMENT = '\ufffd'
