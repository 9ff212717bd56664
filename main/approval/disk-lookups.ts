import { posix } from 'node:path'
import { isInside } from '../is-inside.ts'
import type { ReachedFile } from '../../shared/session/effects.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { PathFacts } from '../agent/ports/tool.ts'
import { fitsGlob, type NamedFile } from './command-line/named-files.ts'
import { isHarmlessDevice, isSecret, isSystemPath, isTemporaryPlace } from './command-line/known-places.ts'
import type { CommandLine } from './command-line/read-command-line.ts'

export interface Disk {
  readonly env: Pick<ExecutionEnvironment, 'stat' | 'listDirectory' | 'readBytes'>
  place(path: string): Promise<PathFacts>
}

/** Maximum number of files that are looked up one by one. A pattern with more matches counts as leading outside. */
const MAX_FOUND = 1000

/**
 * Those of the files that are outside the folder through links, although the text does not show it, or that are control files which the
 * command may write. Never rejects.
 */
export async function reachedFiles(files: readonly NamedFile[], root: string, disk: Disk): Promise<readonly ReachedFile[]> {
  const distinct = new Map(files.map((file) => [JSON.stringify(file), file]))
  const reached = await Promise.all([...distinct.values()].map((file) => reachedBy(file, root, disk)))
  return [...new Map(reached.flat().map((file) => [file.shown, file])).values()]
}

async function reachedBy(file: NamedFile, root: string, disk: Disk): Promise<readonly ReachedFile[]> {
  if (file.kind === 'unknown') return []
  try {
    const paths = file.kind === 'pattern' ? await found(posix.normalize(file.path), disk) : [file.path]
    const all = await Promise.all(paths.map((path) => reachedAt(path, file, root, disk)))
    return all.flat()
  } catch {
    return [{ shown: file.shown, outside: true, control: false }]
  }
}

async function reachedAt(
  named: string,
  { isRead, isEntry, path: own }: NamedFile,
  root: string,
  disk: Disk,
): Promise<readonly ReachedFile[]> {
  const path = await climbed(named, disk)
  const facts = isEntry ? await entryAt(path, disk) : await disk.place(path)
  const real = facts.path
  const leadsOut =
    facts.outside &&
    !(isTemporaryPlace(real, root) && !isInside(root, posix.resolve(own))) &&
    !isHarmlessDevice(real) &&
    !(isRead && isSystemPath(real))
  const control = facts.control && !isRead
  // Paths as the words spell them have already been judged by the text.
  const isHiddenSecret = isRead && isSecret(real) && real !== posix.resolve(own)
  return leadsOut || control || isHiddenSecret
    ? [{ shown: facts.shown, ...(isRead && { isRead }), outside: leadsOut || isHiddenSecret, control }]
    : []
}

/** The facts about a folder's entry itself, not about the target of a link. */
async function entryAt(path: string, { place }: Disk): Promise<PathFacts> {
  const folder = await place(posix.dirname(path))
  const facts = await place(path)
  const own = folder.outside ? facts : { ...facts, path: posix.join(folder.path, posix.basename(path)), outside: false }
  return { ...own, control: folder.control || (facts.control && facts.path === own.path) }
}

/** After a link, `..` leads to the parent of the link's target. */
async function climbed(path: string, { place }: Disk): Promise<string> {
  const parts = path.split('/')
  if (!parts.includes('..')) return path
  let at = '/'
  for (const part of parts) at = part === '..' ? posix.dirname((await place(at)).path) : posix.join(at, part)
  return at
}

/** The matches of a shell pattern. If there are none, the pattern itself, which is then a name. */
async function found(pattern: string, { env }: Disk): Promise<readonly string[]> {
  let paths: readonly string[] = ['/']
  for (const part of pattern.split('/').filter((each) => each !== '')) {
    const next = /[*?[]/u.test(part)
      ? await Promise.all(paths.map((path) => entries(path, part, env)))
      : [paths.map((path) => posix.join(path, part))]
    paths = next.flat()
    if (paths.length > MAX_FOUND) throw new Error(`${pattern} matches more than ${MAX_FOUND} files.`)
  }
  return paths.length > 0 ? paths : [pattern]
}

async function entries(folder: string, pattern: string, env: Disk['env']): Promise<readonly string[]> {
  const listed = await env.listDirectory(folder).catch(() => [])
  const names = listed.map(({ name }) => name).filter((name) => !name.startsWith('.') || pattern.startsWith('.'))
  return names.filter((name) => fitsGlob(pattern, name)).map((name) => posix.join(folder, name))
}

/** Settings that make a reading git command start a program or read more settings. */
const STARTING =
  /^(?:core\.(?:fsmonitor|pager|sshcommand|hookspath|editor|worktree|gitproxy|attributesfile)|pager\.|alias\.|include|filter\.|diff\.(?:external|.*\.(?:command|textconv))|diff\.external|gpg\.|log\.showsignature|credential\.|extensions\.|uploadpack\.|interactive\.)/u
/** Maximum number of bytes of a configuration that is read. */
const MAX_SETTINGS_BYTES = 200_000

/**
 * The settings of the repository by which the git commands of a line would start programs, such as `core.fsmonitor`. What cannot be read
 * counts. Empty where no git runs, and where there is no repository in the folder: the user's own settings do not count.
 */
export async function programsStartedByGit({ runs }: CommandLine, root: string, { env }: Disk): Promise<readonly string[]> {
  if (!runs.some(({ words }) => words[0]?.text === 'git')) return []
  const places = [...new Set(runs.flatMap(({ folders }) => folders ?? []).flatMap((folder) => upwards(posix.resolve(folder), root)))]
  const found = await Promise.all(places.map(async (folder) => settingsOf(posix.join(folder, '.git'), env)))
  return [...new Set(found.flat())]
}

/** A folder and its parents, up to the root of the workspace. */
function upwards(folder: string, root: string): readonly string[] {
  return folder === root || !isInside(root, folder) ? [root] : [folder, ...upwards(posix.dirname(folder), root)]
}

async function settingsOf(git: string, env: Disk['env']): Promise<readonly string[]> {
  try {
    const stat = await env.stat(git)
    if (stat === null) return []
    if (stat.kind !== 'folder') return ['the repository of a linked worktree']
    const names = await Promise.all(['config', 'config.worktree'].map(async (name) => namesIn(posix.join(git, name), env)))
    return names.flat().filter((name) => STARTING.test(name))
  } catch {
    return [`${git}/config`]
  }
}

/** The names of the settings in a configuration, `section.subsection.key` in lower case. */
async function namesIn(file: string, env: Disk['env']): Promise<readonly string[]> {
  if ((await env.stat(file)) === null) return []
  const text = new TextDecoder().decode(await env.readBytes(file, { maxBytes: MAX_SETTINGS_BYTES }))
  const names: string[] = []
  let section = ''
  for (const line of text.split('\n')) {
    const [, name, subsection, rest = ''] = /^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\](.*)$/u.exec(line) ?? []
    if (name !== undefined) section = subsection === undefined ? name : `${name}.${subsection}`
    const [, key] = /^\s*([a-z][\w-]*)/iu.exec(name === undefined ? line : rest) ?? []
    if (key !== undefined) names.push(`${section}.${key}`.toLowerCase())
  }
  return names
}
