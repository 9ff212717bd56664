import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { isInside } from '../../is-inside.ts'
import { pathIn } from '../env-policy.ts'
import { launchEnvironment } from '../launch-environment.ts'
import { absoluteFolders, findProgram, isExecutable } from '../process/find-program.ts'

/** Only an administrator writes here, so these folders are used even if somebody opens `/` as a project. */
const SYSTEM_FOLDERS: ReadonlySet<string> = new Set(['/usr/bin', '/bin', '/usr/sbin', '/sbin'])
/** The kernel follows no more links than this. */
const MAX_LINKS = 40
const WRITABLE_BY_ALL = 0o002
const STICKY = 0o1000

const projects = new Set<string>()
/** The projects and their real paths. Null until they are needed. */
let projectPaths: readonly string[] | null = null
const folderLists = new Map<string, string>()
const found = new Map<string, Found>()

interface Found {
  readonly file: string
  readonly identity: string
}

/**
 * From now on, no program in this folder is started by Countersign itself, because the agent may have written it. This also applies to
 * links that lead into or through the folder. Accesses nothing on the machine.
 */
export function useNoProgramsFrom(folder: string): void {
  if (projects.has(folder)) return
  projects.add(folder)
  projectPaths = null
  folderLists.clear()
  found.clear()
}

/**
 * The absolute path of a program that Countersign itself starts, outside the sandbox. It is looked for in the folders of `ownFolders`. An
 * absolute `name` is only checked. Null if there is no such program, or only one that others may change. A later call repeats the search if
 * the file has been replaced.
 */
export function ownProgram(name: string, path: string | undefined = launchPath()): string | null {
  const key = `${path ?? ''}\0${name}`
  const before = found.get(key)
  if (before !== undefined && identityOf(before.file) === before.identity) return before.file
  const machine = { platform: process.platform, env: process.env, isExecutable: (file: string) => isExecutable(file) && isTrusted(file) }
  const file = findProgram(name, ownFolders(path), machine)
  if (file === null) found.delete(key)
  else found.set(key, { file, identity: identityOf(file) ?? '' })
  return file
}

/**
 * The PATH for programs that Countersign itself starts, because these search it too: the real paths of the absolute folders of `path` that
 * are in no project. Never empty. On Linux, the folders of the system come first.
 */
export function ownFolders(path: string | undefined = launchPath()): string {
  const key = path ?? ''
  const known = folderLists.get(key)
  if (known !== undefined) return known
  const safe = absoluteFolders(path)
    .split(delimiter)
    .map((folder) => realOrNull(folder))
    .filter((folder) => folder !== null)
    .filter((folder) => isSystemFolder(folder) || !(isInProject(folder) || isOpenToAll(folder)))
  // On macOS, programs in `/usr/bin` such as git may only be placeholders that ask to install the real ones.
  const ordered = process.platform === 'linux' ? [...safe.filter(isSystemFolder), ...safe.filter((one) => !isSystemFolder(one))] : safe
  const folders = absoluteFolders([...new Set(ordered)].join(delimiter))
  folderLists.set(key, folders)
  return folders
}

const launchPath = (): string | undefined => pathIn(launchEnvironment() as Readonly<Record<string, string>>)

const isSystemFolder = (folder: string): boolean => SYSTEM_FOLDERS.has(folder)

function isTrusted(file: string): boolean {
  return (
    hopsOf(file).every((hop) => isSystemFolder(dirname(hop)) || !(isInProject(hop) || isOpenToAll(dirname(hop)))) && hasTrustedOwner(file)
  )
}

/** The file and what its links lead to, one after the other, each with the real path of its folder. */
function hopsOf(file: string): readonly string[] {
  const hops: string[] = []
  for (let next = file; hops.length <= MAX_LINKS;) {
    const folder = realOrNull(dirname(next))
    if (folder === null) break
    const hop = join(folder, basename(next))
    hops.push(hop)
    if (!lstatSync(hop, { throwIfNoEntry: false })?.isSymbolicLink()) break
    next = resolve(folder, readlinkSync(hop))
  }
  return hops
}

function hasTrustedOwner(file: string): boolean {
  const stats = statsOf(file)
  if (stats === null) return false
  if (process.platform === 'win32' || isSystemFolder(dirname(file))) return true
  return (stats.uid === 0 || stats.uid === process.getuid?.()) && (stats.mode & WRITABLE_BY_ALL) === 0
}

function isOpenToAll(folder: string): boolean {
  const mode = process.platform === 'win32' ? 0 : (statsOf(folder)?.mode ?? WRITABLE_BY_ALL)
  return (mode & WRITABLE_BY_ALL) !== 0 && (mode & STICKY) === 0
}

function isInProject(path: string): boolean {
  projectPaths ??= [...new Set([...projects].flatMap((project) => [project, realOrNull(project) ?? project]))]
  return projectPaths.some((project) => isInside(project, path))
}

function identityOf(file: string): string | null {
  const stats = statsOf(file)
  return stats && [stats.dev, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs, stats.uid, stats.mode].join(' ')
}

function statsOf(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch {
    return null
  }
}
