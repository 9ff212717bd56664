import { type BigIntStats, type Dirent, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type FolderRules, rulesOf } from '../search/ignore/folder-ignore-rules.ts'

/** What one reading of a folder may cost. */
export interface ReadingBudget {
  readonly files: number
  readonly ms: number
  /** Bytes kept of one file, and of all. */
  readonly fileBytes: number
  readonly totalBytes: number
}

type Stamp = Pick<BigIntStats, 'size' | 'mtimeNs' | 'ctimeNs' | 'ino' | 'mode'>

/** A regular file or a link when the folder was read. */
export interface SeenFile {
  /** The same as long as nobody has written the file, except within `SAME_TICK_MS` after `changedAt`. */
  readonly stamp: Stamp
  /** Null: a link, whose target `bytes` are. */
  readonly mode: number | null
  /** When content or permissions changed, in ms since 1970. */
  readonly changedAt: number
  /** Null: not kept, because of the budget or a failure. */
  readonly bytes: Buffer | null
}

export interface FolderReading {
  readonly folder: string
  readonly at: number
  readonly files: ReadonlyMap<string, SeenFile>
  /** Folders whose entries are all known, and permission bits of folders that exist; '' is the folder itself. */
  readonly listed: ReadonlySet<string>
  readonly folders: ReadonlyMap<string, number>
  readonly leftOut: readonly string[]
}

/** Names in a sentence. */
const MAX_NAMES = 10

/** File systems stamp changes by a clock that ticks every 10 ms at most. */
export const SAME_TICK_MS = 20

/**
 * Reads the unignored files and links below a folder, synchronously. Bytes of files with the same stamp are taken from `known` instead of the
 * disk.
 */
export function readFolder(folder: string, budget: ReadingBudget, known: ReadonlyMap<string, SeenFile>): FolderReading {
  const at = Date.now()
  const until = performance.now() + budget.ms
  const files = new Map<string, SeenFile>()
  const [listed, folders] = [new Set<string>(), new Map([['', 0]])]
  const undecodable: string[] = []
  let [bytesLeft, unreadable] = [budget.totalBytes, 0]
  let stoppedBy: 'files' | 'ms' | null = null

  const takeFile = (path: string): void => {
    const stat = statOf(`${folder}/${path}`)
    if (!stat || !isCompared(stat)) return
    const before = known.get(path)
    if (before && before.bytes !== null && at - before.changedAt > SAME_TICK_MS && sameStamp(before.stamp, stat)) {
      bytesLeft -= before.bytes.length
      files.set(path, before)
      return
    }
    const file = seen(stat)
    const fits = Number(stat.size) <= Math.min(budget.fileBytes, bytesLeft) && performance.now() < until
    const bytes = fits ? bytesOf(join(folder, path), file) : null
    bytesLeft -= bytes?.length ?? 0
    files.set(path, { ...file, bytes })
  }
  // Folders after the files beside them: what a person works on is near the top.
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
      if (rules.ignores(entry.name, isFolder)) continue
      if (isFolder) {
        folders.set(own, modeOf(join(folder, own)))
        waiting.push({ path: own, rules: rules.enter(entry.name) })
      } else if (isCompared(entry)) takeFile(own)
    }
    if (stoppedBy === null && entries !== null) listed.add(path)
  }
  const leftOut = [...stopWords(stoppedBy, budget), ...unreadableWords(unreadable), ...undecodableWords(undecodable)]
  return { folder, at, files, listed, folders, leftOut }
}

function stopWords(stoppedBy: 'files' | 'ms' | null, { files, ms }: ReadingBudget): readonly string[] {
  if (stoppedBy === 'files') return [`The folder has more than ${files.toLocaleString('en-US')} files; the others were not compared.`]
  return stoppedBy === 'ms' ? [`Reading the folder took more than ${ms / 1000} s; the rest was not compared.`] : []
}

const unreadableWords = (count: number): readonly string[] =>
  count === 0 ? [] : [`${count === 1 ? '1 folder' : `${count} folders`} could not be read and compared.`]

function undecodableWords(names: readonly string[]): readonly string[] {
  if (names.length === 0) return []
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  return [`Not compared, because the name is not UTF-8: ${names.toSorted().slice(0, MAX_NAMES).join(', ')}${more}.`]
}

const isCompared = (entry: Dirent | BigIntStats): boolean => entry.isFile() || entry.isSymbolicLink()

/** Permission bits of a folder; 0: it is gone. */
function modeOf(path: string): number {
  const stat = statOf(path)
  return stat ? Number(stat.mode) & 0o7777 : 0
}

/** The permission bits of a folder now; null: there is no folder. */
export function folderModeNow(folder: string, path: string): number | null {
  const stat = statOf(join(folder, path))
  return stat?.isDirectory() ? Number(stat.mode) & 0o7777 : null
}

/** The state of a file or link now; null: there is none. */
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
  }
}

export function sameStamp(a: Stamp | undefined, b: Stamp | undefined): boolean {
  if (!a || !b) return a === b
  return a.ctimeNs === b.ctimeNs && a.mtimeNs === b.mtimeNs && a.size === b.size && a.ino === b.ino && a.mode === b.mode
}

const statOf = (path: string): BigIntStats | undefined =>
  orNull(() => lstatSync(path, { bigint: true, throwIfNoEntry: false })) ?? undefined
/** The bytes of a file, or the target of a link; null: they cannot be read. */
export function bytesOf(path: string, { mode }: Pick<SeenFile, 'mode'>): Buffer | null {
  if (mode !== null) return orNull(() => readFileSync(path))
  const target = orNull(() => readlinkSync(path, { encoding: 'buffer' }))
  // A link is made with a text as its target.
  return target && Buffer.from(target.toString()).equals(target) ? target : null
}

/** The entries of a folder; null: it cannot be read. `onUndecodable` gets the names that are not UTF-8, with such bytes as `\\xff`. */
function entriesOf(path: string, onUndecodable: (name: string) => void): readonly Dirent[] | null {
  const entries = orNull(() => readdirSync(path, { withFileTypes: true }))
  if (!entries?.some(({ name }) => name.includes(REPLACEMENT))) return entries
  // Several such names read as the same text, which may also be the true name of another file.
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

function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
