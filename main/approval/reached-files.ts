import { posix } from 'node:path'
import type { ReachedFile } from '../../shared/session/effects.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { PathFacts } from '../agent/ports/tool.ts'
import { matches } from './glob-matches.ts'
import { isPassing } from './passing-places.ts'
import type { WrittenFile } from './writes.ts'

export interface Disk {
  readonly env: Pick<ExecutionEnvironment, 'stat' | 'listDirectory'>
  place(path: string): Promise<PathFacts>
}

/** More files than this are not looked up one by one: the pattern then counts as leading out. */
const MOST_FOUND = 1000

/** Of the files that a command line names as written those that, as the disk stands, lie outside or are control files. Never rejects. */
export async function reachedFiles(files: readonly WrittenFile[], root: string, disk: Disk): Promise<readonly ReachedFile[]> {
  const distinct = new Map(files.map((file) => [JSON.stringify(file), file]))
  const reached = await Promise.all([...distinct.values()].map((file) => reachedBy(file, root, disk)))
  return [...new Map(reached.flat().map((file) => [file.shown, file])).values()]
}

async function reachedBy(file: WrittenFile, root: string, disk: Disk): Promise<readonly ReachedFile[]> {
  try {
    const paths = file.isPattern ? await found(file.path, disk) : [file.path]
    const all = await Promise.all(paths.map((path) => reachedAt(path, file, root, disk)))
    return all.flat()
  } catch {
    return [{ shown: file.path, outside: true, control: false }]
  }
}

async function reachedAt(named: string, file: WrittenFile, root: string, disk: Disk): Promise<readonly ReachedFile[]> {
  const path = await climbed(named, disk)
  const own = file.isLinkItself ? await linkItself(path, disk) : await disk.place(path)
  const isFolder = file.into.length > 0 && (await disk.env.stat(own.path))?.kind === 'folder'
  const inside = isFolder ? await Promise.all(file.into.map((name) => disk.place(posix.join(own.path, name)))) : []
  return [own, ...inside].flatMap(({ path: real, shown, outside, control }) => {
    const leadsOut = outside && !(file.isPassing && isPassing(real, root))
    return leadsOut || control ? [{ shown, outside, control }] : []
  })
}

async function linkItself(path: string, { place }: Disk): Promise<PathFacts> {
  const folder = await place(posix.dirname(path))
  const facts = await place(path)
  const stays = folder.outside ? facts : { ...facts, path: posix.join(folder.path, posix.basename(path)), outside: false }
  return { ...stays, control: folder.control || (facts.control && facts.path === stays.path) }
}

/** The way up from a link begins where it leads. */
async function climbed(path: string, { place }: Disk): Promise<string> {
  const parts = path.split('/')
  if (!parts.includes('..')) return path
  let at = '/'
  for (const part of parts) at = part === '..' ? posix.dirname((await place(at)).path) : posix.join(at, part)
  return at
}

/** What a pattern of the shell finds; nothing: the pattern itself, which is then a name. */
async function found(pattern: string, { env }: Disk): Promise<readonly string[]> {
  let paths: readonly string[] = ['/']
  for (const part of pattern.split('/').filter((each) => each !== '')) {
    const next = /[*?[]/u.test(part)
      ? await Promise.all(paths.map((path) => entries(path, part, env)))
      : [paths.map((path) => posix.join(path, part))]
    paths = next.flat()
    if (paths.length > MOST_FOUND) throw new Error(`${pattern} finds more than ${MOST_FOUND} files.`)
  }
  return paths.length > 0 ? paths : [pattern]
}

async function entries(folder: string, pattern: string, env: Disk['env']): Promise<readonly string[]> {
  const listed = await env.listDirectory(folder).catch(() => [])
  const names = listed.map(({ name }) => name).filter((name) => !name.startsWith('.') || pattern.startsWith('.'))
  return names.filter((name) => matches(pattern, name)).map((name) => posix.join(folder, name))
}
