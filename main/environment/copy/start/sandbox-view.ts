import { type Dirent, readlinkSync } from 'node:fs'
import { lstat, readdir, readFile, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf, EnvironmentFailure } from '../../environment-failure.ts'
import { launchEnvironment } from '../../launch-environment.ts'
import { linkedRepository } from './linked-repository.ts'
import { DEEP_SECRET_PLACES, isSecretEntry, SYSTEM_ENTRIES, SYSTEM_SECRETS } from './secret-places.ts'

/** Each copy has its own version of these folders, which is empty at the start. */
const EMPTIED = ['/tmp', '/run'] as const
/** Programs share memory through files in this folder, so each copy has its own. */
const SHARED_MEMORY = '/dev/shm'

/** System folders that bubblewrap creates from scratch. */
const NEW_INSIDE: ReadonlySet<string> = new Set(['/dev', '/proc'])

/** Size limit in bytes. A tmpfs without a size may use half of the memory. */
const TEMP_BYTES = 1024 ** 3
const EMPTY_BYTES = 1024 ** 2

export interface ViewParts {
  /** The real path of the folder that is copied. */
  readonly folder: string
  /** Real path of the home folder. Null if there is no home folder, or if it is not shown. */
  readonly home: string | null
  /** If left out, true. */
  readonly isHomeWritable?: boolean
  readonly path: string | undefined
  /** Real paths of Countersign's own folders. */
  readonly ours: readonly string[]
  /** Real path of the folder of Countersign that is shown as `/tmp`. If left out, `/tmp` is a new empty folder. */
  readonly temporary?: string | undefined
  /** Paths that are shown, read-only, although they are hidden otherwise. What is in the folder is shown anyway. */
  readonly visible?: readonly string[] | undefined
  /** Existing folders and files that are shown and can be changed although they are hidden otherwise. */
  readonly writable?: readonly WritablePlace[] | undefined
  /** An empty file that replaces a hidden one. */
  readonly empty: string
}

/**
 * `from`: the folder that is shown at `path`. Null for a file, which is not mounted but left visible, because programs cannot replace a
 * mounted file.
 */
export interface WritablePlace {
  readonly path: string
  readonly from: string | null
}

/**
 * `arguments`: the arguments of bubblewrap that determine what the command sees. `hidden`: paths that exist but that the command cannot
 * see, for the message to the agent.
 */
export interface View {
  readonly arguments: readonly string[]
  readonly hidden: readonly string[]
}

/**
 * What a command sees: the system's folders, read-only, without other people's data, secrets or sockets. Changes in the home folder never
 * reach the machine. Only writes inside the folder are applied.
 */
export async function viewOf(parts: ViewParts): Promise<View> {
  const { folder, home } = parts
  if (home !== null && isBelow(folder, home))
    throw new EnvironmentFailure('ENOCOPY', `${folder} contains your home folder, and a copy of it would show your secrets.`)
  const root = await readdir('/', { withFileTypes: true })
  const [outside, inside, ours, visible, repository, processFiles] = await Promise.all([
    hiddenOutsideHome(root, home),
    home === null ? [] : hiddenInHome(home),
    existing(parts.ours),
    existing(parts.visible ?? []),
    linkedRepository(folder),
    procOptions(),
  ])
  const isInHome = ({ path }: Hidden): boolean => home !== null && isBelow(home, path)
  const writable = parts.writable ?? []
  const isShown = ({ path }: Pick<Hidden, 'path'>): boolean => writable.some((place) => place.from === null && place.path === path)
  const hidden = [...outside, ...inside, ...ours].filter((place) => !isShown(place))
  // The home folder is shown again after a folder above it, such as /home, is hidden, so its own places are always hidden on their own.
  const hiddenBefore = outermost(hidden.filter((place) => !isInHome(place)))
  const hiddenAfter = outermost(hidden.filter(isInHome))
  const isHidden = (path: string): boolean => {
    if (home !== null && isBelow(home, path)) return hiddenAfter.some((place) => isBelow(place.path, path))
    return (
      hiddenBefore.some((place) => isBelow(place.path, path)) || [...EMPTIED, SHARED_MEMORY].some((at) => at !== path && isBelow(at, path))
    )
  }
  const tools = (await toolFolders(parts, hidden)).filter(isHidden)
  return {
    hidden: [...hiddenBefore, ...hiddenAfter].map(({ path }) => path),
    arguments: [
      ...systemRoot(root, isShown),
      '--dev',
      '/dev',
      ...emptyFolder(SHARED_MEMORY, TEMP_BYTES),
      '--remount-ro',
      '/dev',
      ...processFiles,
      // The kernel lets root change its settings there, such as the program that handles crashes, even without capabilities.
      ...(process.geteuid?.() === 0 ? ['--ro-bind', '/proc/sys', '/proc/sys'] : []),
      ...EMPTIED.flatMap((path) => {
        if (path === '/tmp' && parts.temporary !== undefined) return ['--bind', parts.temporary, path]
        return emptyFolder(path, path === '/tmp' ? TEMP_BYTES : EMPTY_BYTES)
      }),
      ...hiddenBefore.flatMap((place) => covered(place, parts.empty)),
      ...(home === null ? [] : [parts.isHomeWritable === false ? '--ro-bind' : '--bind', home, home]),
      ...hiddenAfter.flatMap((place) => covered(place, parts.empty)),
      ...tools.flatMap((path) => ['--ro-bind', path, path]),
      ...visible.flatMap(({ path }) => (isBelow(folder, path) ? [] : ['--ro-bind', path, path])),
      ...writable.flatMap(({ path, from }) => (from === null ? [] : ['--bind', from, path])),
      ...(repository === null || isBelow(repository, folder) ? [] : ['--ro-bind', repository, repository]),
      '--bind',
      folder,
      folder,
      '--remount-ro',
      '/',
    ],
  }
}

/** Mount points that are always empty. The kernel allows a new `/proc` even if something is mounted on them. */
const EMPTY_IN_PROC = new Set(['/proc/sys/fs/binfmt_misc', '/proc/fs/nfsd'])

/**
 * The options for `/proc`. In a container, parts of `/proc` are covered, so the kernel refuses to mount a new one, and the container's own
 * is shown. A command can then read the command lines and the open sockets of processes outside the copy, but not their files, variables or
 * memory, because they are in another user namespace.
 */
async function procOptions(): Promise<readonly string[]> {
  const mounts = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  const isCovered = mounts.split('\n').some((line) => {
    const at = line.split(' ')[4] ?? ''
    return at.startsWith('/proc/') && !EMPTY_IN_PROC.has(at)
  })
  return isCovered ? ['--ro-bind', '/proc', '/proc'] : ['--proc', '/proc']
}

interface Hidden {
  readonly path: string
  readonly isFolder: boolean
}

/**
 * The root folder inside is a new one, with what belongs to the system. In the real one, a file that is deleted just before the start could
 * not be covered, so the start would fail, and a file that is created just before the start would be shown.
 */
function systemRoot(root: readonly Dirent[], isShown: (place: Pick<Hidden, 'path'>) => boolean): readonly string[] {
  const shown = root.flatMap((entry) => {
    const path = `/${entry.name}`
    if (entry.isSymbolicLink()) return linkInside(path)
    if (isShown({ path })) return ['--bind-try', path, path]
    return SYSTEM_ENTRIES.has(entry.name) && !NEW_INSIDE.has(path) ? ['--ro-bind-try', path, path] : []
  })
  return [...emptyFolder('/', EMPTY_BYTES), ...shown]
}

function linkInside(path: string): readonly string[] {
  try {
    return ['--symlink', readlinkSync(path), path]
  } catch {
    // The link was deleted in the meantime.
    return []
  }
}

const emptyFolder = (path: string, bytes: number): readonly string[] => ['--size', String(bytes), '--tmpfs', path]

/**
 * The folder is made read-only by its mode, because each `--remount-ro` reads the list of all mounts, which takes 5 ms in total for 15
 * hidden folders.
 */
const covered = ({ path, isFolder }: Hidden, empty: string): readonly string[] =>
  isFolder ? ['--perms', '0555', ...emptyFolder(path, EMPTY_BYTES)] : ['--ro-bind', empty, path]

async function hiddenOutsideHome(root: readonly Dirent[], home: string | null): Promise<readonly Hidden[]> {
  const others = root.flatMap((entry) => {
    if (SYSTEM_ENTRIES.has(entry.name)) return []
    const path = `/${entry.name}`
    // The target of a link is hidden at its real path.
    if (entry.isSymbolicLink() || path === home || EMPTIED.some((at) => at === path)) return []
    return [{ path, isFolder: entry.isDirectory() }]
  })
  const secrets = (await existing(SYSTEM_SECRETS)).filter(({ path }) => path !== home)
  return [...others, ...secrets]
}

/**
 * In the home folder, only names that begin with a dot are shown, because tools keep their data there. Everything else is unrelated work.
 */
async function hiddenInHome(home: string): Promise<readonly Hidden[]> {
  const places = [...Map.groupBy(DEEP_SECRET_PLACES, (place) => dirname(place))]
  const [top, deep] = await Promise.all([namesIn(home), Promise.all(places.map(([folder, inIt]) => existingIn(home, folder, inIt)))])
  // Its files could still be opened by name.
  if (top === null) throw new EnvironmentFailure('ENOCOPY', `The home folder ${home} cannot be listed, so its secrets cannot be hidden.`)
  const names = [...top].filter((name) => !name.startsWith('.') || isSecretEntry(name))
  return existing([...names, ...deep.flat()].map((name) => join(home, name)))
}

/** Those of the places that may exist. Reading their folder once takes less time than looking up each of them. */
async function existingIn(home: string, folder: string, places: readonly string[]): Promise<readonly string[]> {
  const names = await namesIn(join(home, folder))
  return names === null ? places : places.filter((place) => names.has(basename(place)))
}

/** Null if the folder exists but cannot be read. */
async function namesIn(folder: string): Promise<ReadonlySet<string> | null> {
  try {
    return new Set(await readdir(folder))
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '') ? new Set() : null
  }
}

/** Returns the real paths of those paths that exist, because a secret is hidden at its real path. */
export async function existing(paths: readonly string[]): Promise<readonly Hidden[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      try {
        const real = await realpath(path)
        return [{ path: real, isFolder: (await lstat(real)).isDirectory() }]
      } catch {
        return []
      }
    }),
  )
  return found.flat()
}

/** The real paths of those relative paths that exist. Paths that lead out of the folder are left out. */
export async function existingBelow(folder: string, paths: readonly string[]): Promise<readonly string[]> {
  const found = await existing(paths.map((path) => join(folder, path)))
  return found.map(({ path }) => path).filter((path) => isBelow(folder, path) && path !== folder)
}

/** Removes the places that are below other places. */
function outermost(places: readonly Hidden[]): readonly Hidden[] {
  const sorted = places.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const kept: Hidden[] = []
  for (const place of sorted) if (!kept.some((above) => isBelow(above.path, place.path))) kept.push(place)
  return kept
}

/** Some commands, such as those of the rehearsal, use the Node that runs this app. */
export const toolPath = (): string => [launchEnvironment()['PATH'] ?? '', dirname(process.execPath)].join(':')

/**
 * The folders in PATH. For a `bin` folder, its parent, because the libraries are there. A folder that contains the project, the home folder
 * or a hidden place is left out, because it would be shown with everything in it.
 */
async function toolFolders({ path, home, folder }: ViewParts, hidden: readonly Hidden[]): Promise<readonly string[]> {
  const entries = await existing((path ?? '').split(':').filter((entry) => entry.startsWith('/')))
  const mayShow = (place: string): boolean => {
    const showsProject = isBelow(place, folder) || (home !== null && isBelow(place, home))
    const showsHidden = hidden.some(({ path: kept }) => kept !== place && isBelow(place, kept))
    return place !== '/' && !showsProject && !showsHidden
  }
  return entries.flatMap(({ path: entry }) => {
    const above = basename(entry) === 'bin' ? dirname(entry) : entry
    return [above, entry].filter(mayShow).slice(0, 1)
  })
}

/** Whether a path is equal to the folder, or below it. */
export function isBelow(above: string, path: string): boolean {
  return path === above || path.startsWith(above === '/' ? '/' : `${above}/`)
}
