import { lstat, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { SetAside } from '../../../../shared/session/file-change.ts'
import type { ConfinementOwner } from '../../../agent/ports/command-copies.ts'
import { createSlices } from '../../../agent/event-loop-slices.ts'
import { isSettled } from '../../comparison/read-folder.ts'
import type { IsControl } from '../changes/ignored-tree.ts'
import { type ControlFileContents, createControlContents, type SignedFiles, type StandingControl } from './control-file-contents.ts'
import { createControlFileListing } from './control-file-listing.ts'
import { indexOf, type IndexPlace, isBlob, NO_INDEX } from './git-index.ts'
import type { GuardKeeper, PersistedGuard } from './persisted-guard.ts'
import { closedOf, createKnownControlFiles, type FirstControls, type KnownControlFiles } from './known-control-files.ts'
import { moveAway } from './move-away.ts'

export interface GuardParts {
  /** Real path of the folder that commands can write. */
  readonly folder: string
  readonly isControl: IsControl
  /** A folder of Countersign to which control files are moved. */
  readonly layers: string
  /** Returns what signed steps have written to a path, which is relative to the folder. */
  readonly signedAt: SignedFiles['at']
}

interface GuardsParts extends GuardParts {
  /** The path under which commands see the folder. */
  readonly seenAt: string
  readonly keeper: Pick<GuardKeeper, 'keep'>
}

/** The control files of a folder while confined commands can write in it. */
export interface ControlGuard {
  /** Paths, relative to the folder, of the control files that existed at the start, at most 500. A mount can make them read-only. */
  readonly closed: readonly string[]
  /**
   * Moves control files that appeared after the start out of the folder, and returns them. A mount protects a file's content, but not its
   * name, so a file that replaced a control file is moved too, and the control file is restored. A replacement with the same content stays.
   * Files also stay if a signed step wrote their content, or if git's index contains it, because confined commands cannot write to `.git`.
   * `since` (ms since 1970): files that certainly changed before this time stay too, and count as known from now on. A file that cannot be
   * moved is returned once, without `keptAt`.
   */
  setAside(since?: number): Promise<readonly SetAside[]>
  /** Writes the guard's data to a layer. If this process is killed, a later launch uses the data to check the folder. */
  keep(layer: string, owner: ConfinementOwner | null): Promise<PersistedGuard>
}

/** Guards one folder. What a guard has read of the folder is kept for the next guard. */
export function createControlGuards({ seenAt, keeper, ...parts }: GuardsParts): () => Promise<ControlGuard> {
  const list = createControlFileListing(parts.folder, parts.isControl)
  const contents = createControlContents(parts.folder)
  return async () => {
    const began = Date.now()
    const listed = await list()
    const first = await firstControls(contents, listed.paths)
    const known = createKnownControlFiles(contents, first)
    const check = createCheck(parts, { contents, known, later: listed.later })
    return {
      closed: first.closed,
      setAside: (since = 0) => check(({ changedAt }) => !isSettled(changedAt, since)),
      keep: (layer, owner) =>
        keeper.keep(layer, { ...first, folder: seenAt, source: parts.folder, began, unreadable: listed.unreadable, owner }),
    }
  }
}

async function firstControls(contents: ControlFileContents, paths: readonly string[]): Promise<FirstControls> {
  const entries = new Map<string, StandingControl>()
  const slice = createSlices()
  for (const path of paths) {
    const now = contents.known(path)
    if (now) entries.set(path, now)
    await slice()
  }
  return { entries, closed: closedOf(entries) }
}

interface CheckParts {
  readonly contents: ControlFileContents
  readonly known: KnownControlFiles
  /** Lists the current control files. */
  later(): Promise<readonly string[]>
}

/**
 * A mount cannot forbid a name that does not exist yet, so new control files are found by comparison. `isSuspect`: whether a confined
 * command may have made a new or changed entry. Other entries stay and count as known from now on.
 */
export function createCheck(parts: GuardParts, { contents, known, later }: CheckParts) {
  let unmoved: ReadonlySet<string> = new Set()
  let look: Promise<readonly SetAside[]> = Promise.resolve([])
  const lookNow = async (isSuspect: (now: StandingControl) => boolean): Promise<readonly SetAside[]> => {
    const late: string[] = []
    const seen = new Map<string, string>()
    const slice = createSlices()
    for (const path of await later()) {
      await slice()
      const now = known.now(path)
      if (now === null) continue
      seen.set(now.identity, path)
      if (known.holds(path, now)) continue
      if (isSuspect(now)) late.push(path)
      else known.accept(path, now)
    }
    const unsigned = await unsignedOf(parts, late, { accept: known.accept, now: contents.now, safeIndex: known.safeIndex() })
    const unwanted = unsigned.map((path) => ({ path, before: known.before(path, seen) }))
    const tried = await moveAway(parts.folder, parts.layers, unwanted)
    const saidBefore = unmoved
    unmoved = new Set(tried.flatMap(({ path, keptAt }) => (keptAt === null ? [path] : [])))
    return tried.filter(({ path, keptAt }) => keptAt !== null || !saidBefore.has(path))
  }
  return (isSuspect: (now: StandingControl) => boolean): Promise<readonly SetAside[]> =>
    (look = look.catch(() => []).then(() => lookNow(isSuspect)))
}

/** Maximum number of files of a control folder that are compared one by one. A larger folder is compared and moved as a unit. */
const MOST_FILES = 2_000

interface Judge {
  now(path: string): StandingControl | null
  readonly safeIndex: IndexPlace | null
  accept(path: string, now: StandingControl): void
}

/**
 * Returns which of these control files and folders must be moved away. If some files of a folder may remain, the result lists that folder's
 * other files instead of the folder.
 */
async function unsignedOf(
  { folder, signedAt }: GuardParts,
  paths: readonly string[],
  { now: contentOf, safeIndex, accept }: Judge,
): Promise<readonly string[]> {
  if (paths.length === 0) return []
  const index = safeIndex ? await indexOf(folder, paths, safeIndex) : NO_INDEX
  const isAllowed = (path: string): boolean => {
    const signed = signedAt(path)
    const listed = index.get(path)
    if (signed.size === 0 && listed === undefined) return false
    const now = contentOf(path)
    const content = now?.content
    if (!now || !content) return false
    const isIt = signed.has(content.hash) || (listed !== undefined && content.bytes !== null && isBlob(content.bytes, listed))
    if (isIt) accept(path, now)
    return isIt
  }
  const moved: string[] = []
  const slice = createSlices()
  for (const path of paths) {
    const files = await filesBelow(folder, path)
    const others: string[] = []
    for (const file of files) {
      await slice()
      if (!isAllowed(file)) others.push(file)
    }
    moved.push(...(others.length === files.length ? [path] : others))
  }
  return moved
}

/** The files of a control folder, including links. For a file, or for a folder that is moved as a unit, the path itself. */
async function filesBelow(folder: string, path: string): Promise<readonly string[]> {
  const stats = await lstat(join(folder, path)).catch(() => null)
  if (!stats?.isDirectory() || basename(path) === '.git') return [path]
  const files: string[] = []
  const slice = createSlices()
  const walk = async (at: string): Promise<void> => {
    for (const entry of await readdir(join(folder, at), { withFileTypes: true }).catch(() => [])) {
      await slice()
      if (files.length > MOST_FILES) return
      if (entry.isDirectory()) await walk(`${at}/${entry.name}`)
      else files.push(`${at}/${entry.name}`)
    }
  }
  await walk(path)
  return files.length > MOST_FILES ? [path] : files
}
