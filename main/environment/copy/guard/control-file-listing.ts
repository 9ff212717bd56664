import { type Dirent, lstatSync, type Stats } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createSlices } from '../../../agent/event-loop-slices.ts'
import { isSettled } from '../../comparison/read-folder.ts'
import { fileText, type FolderRules, ownRulesStamp, rulesOf, rulesStamp } from '../../search/ignore/folder-ignore-rules.ts'
import { inParentOf } from '../apply/apply-steps.ts'
import type { IsControl } from '../changes/ignored-tree.ts'
import { openToOwner } from './entries-by-handle.ts'

/** A snapshot of a folder's control files. */
export interface ListedControls {
  /** The outermost control files and folders, as paths relative to the folder. */
  readonly paths: readonly string[]
  /** Folders that their owner may not read or search, relative to the folder. They were not examined. */
  readonly unreadable: ReadonlySet<string>
  /**
   * Lists the control files again. The ignore rules of the first listing still apply, because a command may have written different ones. If
   * the owner of a folder has lost the right to read or search it, the right is restored first.
   */
  later(): Promise<readonly string[]>
}

/**
 * Lists the control files below a folder, except those in packages and ignored folders. Each listing checks all folders, but reads only
 * those whose change time has changed since the last listing: names in a folder cannot change without a new change time, and no program
 * can set that time. `counts` decides whether a file with ignore rules is obeyed; by default, all are. `opens` decides whether a folder
 * without read or search permission is first opened to its owner; by default, none is.
 */
export function createControlFileListing(
  folder: string,
  isControl: IsControl,
  counts: (file: string) => boolean = () => true,
): (opens?: (path: string) => boolean) => Promise<ListedControls> {
  const namesIn = createNames(folder, isControl)
  const textOf = (file: string): string | null => (counts(file) ? fileText(file) : null)
  let latest: ReadonlyMap<string, RuledFolder> = new Map()
  return async (opens = () => false) => {
    const started = new Map<string, RuledFolder>()
    const unreadable = new Set<string>()
    const read = (path: string): Reading =>
      namesIn.read(path, () => {
        if (opens(path)) return true
        unreadable.add(path)
        return false
      })
    const paths = await walk(read, ({ path, name, above }, names) => {
      const known = latest.get(path)
      const stamp = above === null ? rulesStamp(folder) : names.hasRules ? ownRulesStamp(`${folder}/${path}`) : ''
      const isRuled = known?.above === above && known.stamp === stamp
      if (isRuled && known.names === names) return set(started, path, known)
      const rules = isRuled ? known.rules : above === null ? rulesOf(folder, textOf) : above.enter(name, names.hasRules)
      return set(started, path, { above, stamp, names, rules, entered: enteredOf(names, rules) })
    })
    latest = started
    namesIn.forgetOthers(started)
    // A command may have removed read access to a folder to hide what is in it. Such a folder is opened again, unless it was already
    // unreadable in the first listing.
    const readOpened = (path: string): Reading => namesIn.read(path, () => !unreadable.has(path))
    const later = (): Promise<readonly string[]> =>
      walk(readOpened, ({ path, name, above }, names) => {
        const own = started.get(path)
        if (own?.names === names) return own
        const rules = own?.rules ?? above?.enter(name, false) ?? rulesOf(folder)
        return { rules, entered: enteredOf(names, rules) }
      })
    return { paths, unreadable, later }
  }
}

interface Child {
  readonly path: string
  readonly name: string
}

interface Entered {
  readonly rules: FolderRules
  /** The subfolders that are examined. */
  readonly entered: readonly Child[]
}

interface RuledFolder extends Entered {
  /** The rules of the parent folder. Null for the listed folder itself. */
  readonly above: FolderRules | null
  readonly stamp: string
  readonly names: Names
}

const enteredOf = ({ folders }: Names, rules: FolderRules): readonly Child[] => folders.filter(({ name }) => !rules.ignores(name, true))

function set<T>(map: Map<string, T>, path: string, value: T): T {
  map.set(path, value)
  return value
}

interface Waiting extends Child {
  readonly above: FolderRules | null
}

type Reading = Names | null | Promise<Names | null>

async function walk(namesIn: (path: string) => Reading, enter: (at: Waiting, names: Names) => Entered): Promise<readonly string[]> {
  const slice = createSlices()
  const paths: string[] = []
  const waiting: Waiting[] = [{ path: '', name: '', above: null }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    await slice()
    const found = namesIn(next.path)
    const names = found instanceof Promise ? await found : found
    if (names === null) continue
    paths.push(...names.controls)
    const { rules, entered } = enter(next, names)
    for (const child of entered) waiting.push({ ...child, above: rules })
  }
  return paths
}

/** The entries of a folder that matter for the listing. */
interface Names {
  readonly stamp: Pick<Stats, 'dev' | 'ino' | 'ctimeMs'>
  /** Relative to the folder that is listed. */
  readonly controls: readonly string[]
  /** Subfolders, except packages and control folders. */
  readonly folders: readonly Child[]
  /** Whether the folder has its own ignore rules or is a repository. */
  readonly hasRules: boolean
}

/** Number of names that are processed between two turns of the event loop. */
const PIECE = 256

/** The owner's rights to read and to search a folder. */
const OWN_RIGHTS = 0o500

/** Whether this user owns the folder but may not read or search it. False for root, who always may. */
function isClosed({ mode, uid }: Stats): boolean {
  if ((mode & OWN_RIGHTS) === OWN_RIGHTS) return false
  const user = process.geteuid?.() ?? 0
  return user !== 0 && uid === user
}

/** Reads the names in folders. A folder is read again only after it has changed. */
function createNames(folder: string, isControl: IsControl) {
  const known = new Map<string, Names>()
  const readAgain = async (path: string, { dev, ino, ctimeMs }: Stats, at: number): Promise<Names | null> => {
    known.delete(path)
    const entries = await readdir(`${folder}/${path}`, { withFileTypes: true }).catch(() => null)
    if (entries === null) return null
    const names = { stamp: { dev, ino, ctimeMs }, ...(await sorted(path, entries, isControl)) }
    if (isSettled(ctimeMs, at)) known.set(path, names)
    return names
  }
  const openAndRead = async (path: string): Promise<Names | null> => {
    const opening = path === '' ? openToOwner(folder) : inParentOf(folder, path, openToOwner)
    await opening.catch(() => {})
    const at = Date.now()
    const found = statsOf(`${folder}/${path}`)
    return found?.isDirectory() ? readAgain(path, found, at) : null
  }
  return {
    /**
     * Null if there is no folder, or if it cannot be read. `opens`: whether a folder that its owner may not read or search is first made
     * accessible to the owner.
     */
    read(path: string, opens: () => boolean): Reading {
      const at = Date.now()
      const found = statsOf(`${folder}/${path}`)
      if (!found?.isDirectory()) return null
      if (isClosed(found) && opens()) return openAndRead(path)
      const names = known.get(path)
      const { stamp } = names ?? {}
      if (names && stamp?.ctimeMs === found.ctimeMs && stamp.ino === found.ino && stamp.dev === found.dev) return names
      return readAgain(path, found, at)
    },
    forgetOthers(kept: ReadonlyMap<string, unknown>): void {
      for (const path of known.keys()) if (!kept.has(path)) known.delete(path)
    },
  }
}

async function sorted(at: string, entries: readonly Dirent[], isControl: IsControl): Promise<Omit<Names, 'stamp'>> {
  const controls: string[] = []
  const folders: Child[] = []
  const slice = createSlices()
  for (const [index, entry] of entries.entries()) {
    if (index % PIECE === 0) await slice()
    const { name } = entry
    const path = at === '' ? name : `${at}/${name}`
    if (isControl(path)) controls.push(path)
    else if (entry.isDirectory() && name !== 'node_modules') folders.push({ path, name })
  }
  return { controls, folders, hasRules: entries.some(({ name }) => name === '.gitignore' || name === '.git') }
}

/** Undefined if nothing can be found at the path. Does not use the thread pool, in which each call would take ten times as long. */
export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
