import { createHash, randomBytes } from 'node:crypto'
import { execFile } from 'node:child_process'
import { chmod, cp, lstat, mkdir, readdir, readFile, readlink, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { SetAside } from '../../../../shared/session/file-change.ts'
import { hashOf } from '../../../agent/blob-hash.ts'
import { createSlices } from '../../../agent/event-loop-slices.ts'
import { codeOf } from '../../environment-failure.ts'
import { personVariables } from '../../person-variables.ts'
import { findProgram } from '../../process/find-program.ts'
import { type FolderRules, rulesOf } from '../../search/ignore/folder-ignore-rules.ts'
import type { IsControl } from '../changes/ignored-tree.ts'

/** Each existing control file is a mount for a confined command, so there is a limit; those nearest to the folder come first. */
const MOST_CLOSED = 500

export interface GuardParts {
  /** Real path of the folder that commands can write. */
  readonly folder: string
  readonly isControl: IsControl
  /** Folder of ours to which new control files are moved. */
  readonly layers: string
  /** The SHA-256 of every content that a signed step has written to this path from the folder; of a link: of its target. */
  signedAt(path: string): ReadonlySet<string>
}

/** The control files of a folder while confined commands can write in it. */
export interface ControlGuard {
  /** Paths from the folder of those that existed at the start, at most 500: a mount can make them read-only. */
  readonly closed: readonly string[]
  /**
   * Moves control files that have appeared since the start out of the folder, and returns them. Files with the content that a signed step
   * wrote, and files whose content is in git's index, stay: confined commands cannot write to `.git`. `since` (ms since 1970): those that
   * changed before stay too, and count as known from now on. A file that cannot be moved is returned once, without `keptAt`.
   */
  setAside(since?: number): Promise<readonly SetAside[]>
}

/** A mount cannot forbid a name that does not exist yet, so new control files are found by comparison. */
export async function guardControlFiles(parts: GuardParts): Promise<ControlGuard> {
  const rules = new Map<string, FolderRules>()
  const known = new Map(await controlFilesBelow(parts, rules, 'start'))
  // Also after a command has renamed a folder above it: the file in it is the old one, which the mount still protects.
  const inFolders = new Set([...known].map(([path, folder]) => nameIn(folder, path)))
  const depth = (path: string): number => path.split('/').length
  let unmoved: ReadonlySet<string> = new Set()
  let look: Promise<readonly SetAside[]> = Promise.resolve([])
  const lookNow = async (since: number): Promise<readonly SetAside[]> => {
    const found = await controlFilesBelow(parts, rules, 'later')
    const fresh = [...found].filter(([path, folder]) => known.get(path) !== folder && !inFolders.has(nameIn(folder, path)))
    const late: string[] = []
    for (const [path, folder] of fresh) {
      const stats = await lstat(join(parts.folder, path)).catch(() => null)
      if (stats && stats.ctimeMs >= since) late.push(path)
      else known.set(path, folder)
    }
    const tried = await moveAway(parts, await unsignedOf(parts, late))
    const saidBefore = unmoved
    unmoved = new Set(tried.flatMap(({ path, keptAt }) => (keptAt === null ? [path] : [])))
    return tried.filter(({ path, keptAt }) => keptAt !== null || !saidBefore.has(path))
  }
  return {
    closed: [...known.keys()].toSorted((a, b) => depth(a) - depth(b)).slice(0, MOST_CLOSED),
    setAside: (since = 0) => (look = look.catch(() => []).then(() => lookNow(since))),
  }
}

/**
 * The outermost control files and folders by path, each with the identity of the folder that holds it: when a command moves that folder away
 * and makes another one, the file in it is new. Ignored folders and packages are not entered. The rules of the start stay in force, since
 * a command may write other ones.
 */
async function controlFilesBelow(
  { folder, isControl }: GuardParts,
  rules: Map<string, FolderRules>,
  when: 'start' | 'later',
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  const slice = createSlices()
  if (when === 'start') rules.set('', rulesOf(folder))
  const walk = async (at: string, own: FolderRules): Promise<void> => {
    const entries = await readdir(join(folder, at), { withFileTypes: true }).catch(() => [])
    await slice()
    let identity: string | null = null
    for (const entry of entries) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (isControl(path)) found.set(path, (identity ??= await identityOf(join(folder, at))))
      else if (entry.isDirectory() && entry.name !== 'node_modules' && !own.ignores(entry.name, true)) {
        const inner = rules.get(path) ?? own.enter(entry.name, when === 'start')
        if (when === 'start') rules.set(path, inner)
        await walk(path, inner)
      }
    }
  }
  await walk('', rules.get('') ?? rulesOf(folder))
  return found
}

const nameIn = (folderIdentity: string, path: string): string => `${folderIdentity}/${basename(path)}`

/** Files of a control folder above which it is compared and moved as a whole. */
const MOST_FILES = 2_000

/** What has to be moved of these control files and folders. Of a folder in which some files may stay, the other files. */
async function unsignedOf(parts: GuardParts, paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return []
  const { folder, signedAt } = parts
  // A new repository may be the command's own, with an index that lists what it likes.
  const index = paths.includes('.git') ? NO_INDEX : await indexOf(folder, paths)
  const isAllowed = async (path: string): Promise<boolean> => {
    const [signed, listed] = [signedAt(path), index.get(path)]
    if (signed.size === 0 && listed === undefined) return false
    const bytes = await contentOf(join(folder, path))
    return bytes !== null && (signed.has(hashOf(bytes)) || (listed !== undefined && isBlob(bytes, listed)))
  }
  const moved: string[] = []
  for (const path of paths) {
    const files = await filesBelow(folder, path)
    const others: string[] = []
    for (const file of files) if (!(await isAllowed(file))) others.push(file)
    moved.push(...(others.length === files.length ? [path] : others))
  }
  return moved
}

const NO_INDEX: ReadonlyMap<string, string> = new Map()

/** The files of a control folder, links among them; of a file, or of a folder that is moved as a whole, itself. */
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

/** Null: it is neither a file nor a link, or has disappeared. */
async function contentOf(path: string): Promise<Uint8Array | null> {
  try {
    const stats = await lstat(path)
    if (stats.isSymbolicLink()) return await readlink(path, 'buffer')
    return stats.isFile() ? await readFile(path) : null
  } catch {
    return null
  }
}

function isBlob(bytes: Uint8Array, name: string): boolean {
  const hash = createHash(name.length > 40 ? 'sha256' : 'sha1').update(`blob ${bytes.length}\0`)
  return hash.update(bytes).digest('hex') === name
}

async function identityOf(path: string): Promise<string> {
  const stats = await lstat(path).catch(() => null)
  return stats ? `${stats.dev}:${stats.ino}` : ''
}

async function moveAway({ folder, layers }: GuardParts, paths: readonly string[]): Promise<readonly SetAside[]> {
  if (paths.length === 0) return []
  const kept = join(layers, `set-aside-${new Date().toISOString().replaceAll(/[:.]/gu, '-')}-${randomBytes(3).toString('hex')}`)
  const moved: SetAside[] = []
  for (const path of paths) {
    const to = join(kept, path)
    try {
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      if (await moveAnyway(join(folder, path), to)) moved.push({ path, keptAt: to })
    } catch {
      moved.push({ path, keptAt: null })
    }
  }
  return moved
}

/** As `move`, also out of a folder that its owner may not write now; that gets its permissions back. */
async function moveAnyway(from: string, to: string): Promise<boolean> {
  try {
    return await move(from, to)
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(codeOf(error) ?? '')) throw error
  }
  await makeWritable(from)
  const mode = await makeWritable(dirname(from))
  try {
    return await move(from, to)
  } finally {
    if (mode !== null) await chmod(dirname(from), mode).catch(() => {})
  }
}

/** Lets its owner use a folder. Returns the permissions that it had; null: it is no folder. */
async function makeWritable(path: string): Promise<number | null> {
  const stats = await lstat(path)
  if (!stats.isDirectory()) return null
  await chmod(path, (stats.mode & 0o7777) | 0o700)
  return stats.mode & 0o7777
}

/** False: it has disappeared meanwhile. */
async function move(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    if (codeOf(error) !== 'EXDEV') throw error
  }
  await cp(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  await rm(from, { recursive: true, force: true })
  return true
}

/** The names of the blobs that git's index has for the files at and below these paths. Starts no program that the repository names. */
async function indexOf(folder: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const listed = new Map<string, string>()
  for (const [, name = '', path = ''] of (await listIndex(folder, paths)).matchAll(/\d+ ([0-9a-f]+) 0\t([^\0]*)\0/gu))
    listed.set(path, name)
  return listed
}

function listIndex(folder: string, paths: readonly string[]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const path = personVariables()['PATH']
  const settings = [
    '--no-optional-locks',
    '--literal-pathspecs',
    '-c',
    'core.fsmonitor=false',
    '-c',
    'core.hooksPath=/dev/null',
    '-c',
    'safe.directory=*',
  ]
  execFile(
    findProgram('git', path) ?? 'git',
    [...settings, 'ls-files', '-s', '-z', '--', ...paths],
    { cwd: folder, env: { PATH: path, LC_ALL: 'C', GIT_CEILING_DIRECTORIES: '' }, maxBuffer: 16 * 1024 * 1024 },
    // Without git or a repository nothing is in an index.
    (error, text) => resolve(error ? '' : text),
  )
  return promise
}
