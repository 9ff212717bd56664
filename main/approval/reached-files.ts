import { posix } from 'node:path'
import { isInside } from '../is-inside.ts'
import type { ReachedFile } from '../../shared/session/effects.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { PathFacts } from '../agent/ports/tool.ts'
import { fitsGlob } from '../fits-glob.ts'
import type { UsedFile } from './command-line/used-files.ts'
import { isHarmlessDevice, isSecret, isSystemPath, isTemporaryPlace } from './command-line/known-places.ts'

export interface Disk {
  readonly env: Pick<ExecutionEnvironment, 'stat' | 'listDirectory' | 'readBytes'>
  place(path: string): Promise<PathFacts>
}

/** Maximum number of files that are looked up one by one. A pattern with more matches counts as leading outside. */
const MAX_FOUND = 1000

/**
 * The files that the command reaches outside the folder through links, although its text does not show it, and the control files that it
 * may write. Never rejects.
 */
export async function reachedFiles(files: readonly UsedFile[], root: string, disk: Disk): Promise<readonly ReachedFile[]> {
  const distinct = new Map(files.map((file) => [JSON.stringify(file), file]))
  const reached = await Promise.all([...distinct.values()].map((file) => reachedBy(file, root, disk)))
  return [...new Map(reached.flat().map((file) => [file.shown, file])).values()]
}

async function reachedBy(file: UsedFile, root: string, disk: Disk): Promise<readonly ReachedFile[]> {
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
  { isRead, isEntry, path: own }: UsedFile,
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
  // A path that the command spells out was already judged by the command's text.
  const isHiddenSecret = isRead && isSecret(real) && real !== posix.resolve(own)
  return leadsOut || control || isHiddenSecret
    ? [{ shown: facts.shown, ...(isRead && { isRead }), outside: leadsOut || isHiddenSecret, control }]
    : []
}

/** The facts about the entry at this path itself, not about its target if it is a link. */
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

/** Returns the matches of a shell pattern. If nothing matches, returns the pattern, because the shell then takes it as a plain name. */
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
