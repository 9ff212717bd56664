import { type ControlFileContents, isSameControl, type StandingControl } from './control-file-contents.ts'
import type { IndexPlace } from './git-index.ts'

/**
 * Maximum number of control files that are closed to writing, because each needs a mount for a confined command. Those nearest to the
 * folder come first.
 */
const MOST_CLOSED = 500

/** Which control files existed when a guard began. */
export interface FirstControls {
  /** By path, relative to the guarded folder. */
  readonly entries: ReadonlyMap<string, StandingControl>
  /** The paths that a mount makes read-only, at most 500. */
  readonly closed: readonly string[]
}

export type KnownControlFiles = ReturnType<typeof createKnownControlFiles>

/** Tracks the control files that are known to be the work of the user or of a signed step. */
export function createKnownControlFiles(contents: ControlFileContents, { entries, closed }: FirstControls) {
  const known = new Map(entries)
  const mounted = new Set(closed.flatMap((path) => identityOf(known.get(path))))
  // If a command has moved a folder, the entries in it have other paths but are the same.
  const loose = new Map([...known.values()].map((one) => [one.identity, one]))
  return {
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
    /** Whether the same entry was there before, at this or at another path. */
    isOld: ({ identity }: StandingControl): boolean => loose.has(identity),
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
    /**
     * Which git index confined commands cannot have written: the folder's own, or that of a repository above the folder. Null if they may
     * have written the folder's own index.
     */
    safeIndex(): IndexPlace | null {
      const git = contents.known('.git')
      if (git === null) return 'above'
      return mounted.has(git.identity) ? 'own' : null
    },
  }
}

/** A link itself is not mounted, because its target is mounted instead. */
const identityOf = (one: StandingControl | undefined): readonly string[] => (one && one.kind !== 'link' ? [one.identity] : [])

/** Which control files are closed to writing. Folders come first: their content is not compared, so only a mount protects it. */
export function closedOf(known: ReadonlyMap<string, StandingControl>): readonly string[] {
  const rank = ([path, { kind }]: readonly [string, StandingControl]): number => (kind === 'folder' ? 0 : 10_000) + path.split('/').length
  return [...known]
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MOST_CLOSED)
    .map(([path]) => path)
}
