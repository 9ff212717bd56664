import { createHash, randomBytes } from 'node:crypto'
import { execFile } from 'node:child_process'
import { cp, lstat, mkdir, readdir, readFile, readlink, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SetAside } from '../../../../shared/session/file-change.ts'
import { createSlices } from '../../../agent/slices.ts'
import { codeOf } from '../../environment-failure.ts'
import { personEnvironment } from '../../own-variables.ts'
import { findProgram } from '../../process/program.ts'
import { type FolderRules, rulesOf } from '../../search/ignore/folder-rules.ts'
import type { IsControl } from '../changes/ignored-tree.ts'

/** Each existing control file is a mount for a confined command, so there is a limit; those nearest to the folder come first. */
const MOST_CLOSED = 500

export interface GuardParts {
  /** Real path of the folder that commands can write. */
  readonly folder: string
  readonly isControl: IsControl
  /** Folder of ours to which new control files are moved. */
  readonly layers: string
  /** Whether a path from the folder was written by a signed step. */
  isSigned(path: string): boolean
}

/** The control files of a folder while confined commands can write in it. */
export interface ControlGuard {
  /** Paths from the folder of those that existed at the start, at most 500: a mount can make them read-only. */
  readonly closed: readonly string[]
  /**
   * Moves control files that have appeared since the start out of the folder, and returns them. Files that a signed step wrote, and files
   * whose content is in git's index, stay: confined commands cannot write to `.git`. `since` (ms since 1970): those that changed before stay
   * too, and count as known from now on.
   */
  setAside(since?: number): Promise<readonly SetAside[]>
}

/** A mount cannot forbid a name that does not exist yet, so new control files are found by comparison. */
export async function guardControlFiles(parts: GuardParts): Promise<ControlGuard> {
  const rules = new Map<string, FolderRules>()
  const known = new Map(await controlFilesBelow(parts, rules, 'start'))
  const depth = (path: string): number => path.split('/').length
  let look: Promise<readonly SetAside[]> = Promise.resolve([])
  const lookNow = async (since: number): Promise<readonly SetAside[]> => {
    const found = await controlFilesBelow(parts, rules, 'later')
    const fresh = [...found].filter(([path, folder]) => known.get(path) !== folder && !parts.isSigned(path))
    const late: string[] = []
    for (const [path, folder] of fresh) {
      const stats = await lstat(join(parts.folder, path)).catch(() => null)
      if (stats && stats.ctimeMs >= since) late.push(path)
      else known.set(path, folder)
    }
    const inIndex = late.length === 0 ? new Set<string>() : await unchangedInIndex(parts.folder, late)
    return moveAway(
      parts,
      late.filter((path) => !inIndex.has(path)),
    )
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
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    if (await move(join(folder, path), to)) moved.push({ path, keptAt: to })
  }
  return moved
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

/** Of these paths those whose files are all in git's index, with the same content. Starts no program that the repository names. */
async function unchangedInIndex(folder: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const listed = new Map<string, string>()
  for (const [, hash = '', path = ''] of (await listIndex(folder, paths)).matchAll(/\d+ ([0-9a-f]+) 0\t([^\0]*)\0/gu))
    listed.set(path, hash)
  if (listed.size === 0) return new Set()
  const isUnchanged = async (path: string): Promise<boolean> => {
    const stats = await lstat(join(folder, path))
    if (stats.isDirectory()) {
      const inner = await readdir(join(folder, path))
      for (const name of inner) if (!(await isUnchanged(`${path}/${name}`))) return false
      return inner.length > 0
    }
    const hash = listed.get(path)
    if (hash === undefined) return false
    const bytes = stats.isSymbolicLink() ? Buffer.from(await readlink(join(folder, path))) : await readFile(join(folder, path))
    return (
      createHash(hash.length > 40 ? 'sha256' : 'sha1')
        .update(`blob ${bytes.length}\0`)
        .update(bytes)
        .digest('hex') === hash
    )
  }
  const kept = await Promise.all(paths.map((path) => isUnchanged(path).catch(() => false)))
  return new Set(paths.filter((_, index) => kept[index]))
}

function listIndex(folder: string, paths: readonly string[]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const path = personEnvironment()['PATH']
  const settings = ['--no-optional-locks', '--literal-pathspecs', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null']
  execFile(
    findProgram('git', path) ?? 'git',
    [...settings, 'ls-files', '-s', '-z', '--', ...paths],
    { cwd: folder, env: { PATH: path, LC_ALL: 'C', GIT_CEILING_DIRECTORIES: '' }, maxBuffer: 16 * 1024 * 1024 },
    // Without git or a repository nothing is in an index.
    (error, text) => resolve(error ? '' : text),
  )
  return promise
}
