import { isInside } from '../is-inside.ts'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { PathFacts } from '../agent/ports/tool.ts'
import { isControlFile } from './control-files.ts'

export interface PathFactsParts {
  readonly env: ExecutionEnvironment
  /** Real path of the workspace folder. */
  readonly root: string
  /** What `~` stands for; null: `~` is a name like any other. */
  readonly home: string | null
  /** Real paths of folders that are our own (data, settings): all below them counts as control files. */
  readonly ownFolders?: readonly string[]
}

/**
 * The facts about a path that the policy judges by. A relative path begins at the root, `~` at the home folder. The result's
 * `path` is real: links resolved, of what does not exist the nearest ancestor's. Rejects with the environment's coded failure
 * (`EINVAL` for NUL, empty, UNC and device paths, `ELOOP`, `ENAMETOOLONG`, `EACCES` …).
 */
export function createPathFacts({ env, root, home, ownFolders = [] }: PathFactsParts): (path: string) => Promise<PathFacts> {
  return async (path) => {
    if (env.platform() === 'win32') mustBeOrdinaryOnWindows(path)
    const named = resolve(root, atHome(path, home))
    const real = await env.realpath(path.includes('\0') || path === '' ? path : named)
    const outside = !isInside(root, real)
    const control =
      isControlFile(componentsBelow(root, real)) ||
      isControlFile(componentsBelow(root, named)) ||
      ownFolders.some((folder) => isInside(folder, real))
    return { path: real, shown: outside ? real : shownInside(root, real), outside, control }
  }
}

/**
 * The same for somebody who works in another folder of the workspace (a real path): relative paths begin there, and what is inside is
 * shown by its whole path, which is exact for people and can be used again from there.
 */
export function pathFactsFrom(folder: string, place: (path: string) => Promise<PathFacts>): (path: string) => Promise<PathFacts> {
  return async (path) => {
    const isRelative = path !== '' && !path.includes('\0') && !isAbsolute(path) && !path.startsWith('~')
    const facts = await place(isRelative ? join(folder, path) : path)
    return { ...facts, shown: facts.path }
  }
}

function atHome(path: string, home: string | null): string {
  if (home === null) return path
  if (path === '~') return home
  return path.startsWith('~/') || path.startsWith('~\\') ? join(home, path.slice(2)) : path
}

function componentsBelow(root: string, path: string): readonly string[] {
  const below = isInside(root, path) ? relative(root, path) : path
  return below.split(/[/\\]/u).filter((name) => name !== '')
}

function shownInside(root: string, path: string): string {
  return relative(root, path).replaceAll(sep, '/') || '.'
}

/** UNC paths leak the user's password hash, device paths reach past every check, a colon names a stream after a file name. */
function mustBeOrdinaryOnWindows(path: string): void {
  const slashed = path.replaceAll('/', '\\')
  const bad = slashed.startsWith('\\\\') || slashed.startsWith('\\??\\') || /^[a-z]:[^\\]/iu.test(slashed) || slashed.slice(2).includes(':')
  if (bad) throw Object.assign(new Error(`${path} is a network, device or stream path, which is not opened (EINVAL).`), { code: 'EINVAL' })
}
