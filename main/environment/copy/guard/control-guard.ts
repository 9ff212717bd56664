import { lstat, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { SetAside } from '../../../../shared/session/file-change.ts'
import { createSlices } from '../../../agent/event-loop-slices.ts'
import type { IsControl } from '../changes/ignored-tree.ts'
import { type ControlContents, createControlContents, isSameControl, type SignedFiles, type StandingControl } from './control-contents.ts'
import { createControlListing, type ListedControls } from './control-listing.ts'
import { indexOf, type IndexPlace, isBlob, NO_INDEX } from './git-index.ts'
import { moveAway } from './move-away.ts'

/**
 * Maximum number of control files that are closed to writing, because each needs a mount for a confined command. Those nearest to the
 * folder come first.
 */
const MOST_CLOSED = 500

interface GuardParts {
  /** Real path of the folder that commands can write. */
  readonly folder: string
  readonly isControl: IsControl
  /** A folder of Countersign to which control files are moved. */
  readonly layers: string
  /** Returns what signed steps have written to a path, which is relative to the folder. */
  readonly signedAt: SignedFiles['at']
}

/** The control files of a folder while confined commands can write in it. */
export interface ControlGuard {
  /** Paths, relative to the folder, of the control files that existed at the start, at most 500. A mount can make them read-only. */
  readonly closed: readonly string[]
  /**
   * Moves control files that appeared after the start out of the folder, and returns them. A mount protects a file's content, but not its
   * name: a file that somebody replaced is moved too unless it has the earlier content, and the earlier file is restored. Files stay if a
   * signed step wrote their content or if it is in git's index, because confined commands cannot write to `.git`. `since` (ms since 1970):
   * files that changed before that stay too, and count as known from now on. A file that cannot be moved is returned once, without
   * `keptAt`.
   */
  setAside(since?: number): Promise<readonly SetAside[]>
}

/** Guards one folder. What a guard has read of the folder is kept for the next guard. */
export function createControlGuards(parts: GuardParts): () => Promise<ControlGuard> {
  const list = createControlListing(parts.folder, parts.isControl)
  const contents = createControlContents(parts.folder)
  return async () => guard(parts, contents, await list())
}

/** A mount cannot forbid a name that does not exist yet, so new control files are found by comparison. */
async function guard(parts: GuardParts, contents: ControlContents, listed: ListedControls): Promise<ControlGuard> {
  const known = await createKnown(contents, listed.paths)
  let unmoved: ReadonlySet<string> = new Set()
  let look: Promise<readonly SetAside[]> = Promise.resolve([])
  const lookNow = async (since: number): Promise<readonly SetAside[]> => {
    const late: string[] = []
    const seen = new Map<string, string>()
    const slice = createSlices()
    for (const path of await listed.later()) {
      await slice()
      const now = known.now(path)
      if (now === null) continue
      seen.set(now.identity, path)
      if (known.holds(path, now)) continue
      if (now.changedAt >= since) late.push(path)
      else known.accept(path, now)
    }
    const unsigned = await unsignedOf(parts, late, { accept: known.accept, now: contents.now, safeIndex: known.safeIndex() })
    const unwanted = unsigned.map((path) => ({ path, before: known.before(path, seen) }))
    const tried = await moveAway(parts.folder, parts.layers, unwanted)
    const saidBefore = unmoved
    unmoved = new Set(tried.flatMap(({ path, keptAt }) => (keptAt === null ? [path] : [])))
    return tried.filter(({ path, keptAt }) => keptAt !== null || !saidBefore.has(path))
  }
  return {
    closed: known.closed,
    setAside: (since = 0) => (look = look.catch(() => []).then(() => lookNow(since))),
  }
}

/** Tracks the control files that are known to be the work of the user or of a signed step. */
async function createKnown(contents: ControlContents, paths: readonly string[]) {
  const known = new Map<string, StandingControl>()
  const slice = createSlices()
  for (const path of paths) {
    const now = contents.known(path)
    if (now) known.set(path, now)
    await slice()
  }
  const closed = closedOf(known)
  const mounted = new Set(closed.flatMap((path) => identityOf(known.get(path))))
  // If a command has moved a folder, the entries in it have other paths but are the same.
  const loose = new Map([...known.values()].map((one) => [one.identity, one]))
  return {
    closed,
    /** The entry at a path. Null if there is nothing. */
    now(path: string): StandingControl | null {
      const found = contents.known(path)
      return found === null || mounted.has(found.identity) ? found : contents.now(path)
    },
    /**
     * Whether the entry is still the known one. A mounted file is accepted with any content, because confined commands cannot have
     * written to it.
     */
    holds(path: string, now: StandingControl): boolean {
      const isMounted = mounted.has(now.identity)
      const before = known.get(path) ?? loose.get(now.identity)
      if (isMounted) known.set(path, now)
      return isMounted || (before !== undefined && isSameControl(before, now))
    },
    accept(path: string, now: StandingControl): void {
      known.set(path, now)
      loose.set(now.identity, now)
    },
    /** The entry that is restored at a path. Null if nothing was there before, or if the earlier entry is now at another path. */
    before(path: string, seen: ReadonlyMap<string, string>): StandingControl | null {
      const before = known.get(path)
      const isAt = before && seen.get(before.identity)
      return before && (isAt === undefined || isAt === path) ? before : null
    },
    /** The index that confined commands cannot have written. Null if they may have written it. */
    safeIndex(): IndexPlace | null {
      const git = contents.known('.git')
      if (git === null) return 'above'
      return mounted.has(git.identity) ? 'own' : null
    },
  }
}

/** A link itself is not mounted, because its target is mounted instead. */
const identityOf = (one: StandingControl | undefined): readonly string[] => (one && one.kind !== 'link' ? [one.identity] : [])

/** Folders first, because a folder's content is not compared. */
function closedOf(known: ReadonlyMap<string, StandingControl>): readonly string[] {
  const rank = ([path, { kind }]: readonly [string, StandingControl]): number => (kind === 'folder' ? 0 : 10_000) + path.split('/').length
  return [...known]
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MOST_CLOSED)
    .map(([path]) => path)
}

/** Maximum number of files of a control folder that are compared one by one. A larger folder is compared and moved as a unit. */
const MOST_FILES = 2_000

interface Judge {
  now(path: string): StandingControl | null
  readonly safeIndex: IndexPlace | null
  accept(path: string, now: StandingControl): void
}

/**
 * Which of these control files and folders must be moved away. If some files of a folder may remain, only the other files of that folder.
 */
async function unsignedOf(
  { folder, signedAt }: GuardParts,
  paths: readonly string[],
  { now: contentOf, safeIndex, accept }: Judge,
): Promise<readonly string[]> {
  if (paths.length === 0) return []
  const index = safeIndex ? await indexOf(folder, paths, safeIndex) : NO_INDEX
  const isAllowed = (path: string): boolean => {
    const [signed, listed] = [signedAt(path), index.get(path)]
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
