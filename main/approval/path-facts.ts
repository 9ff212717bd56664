import { isInside } from '../is-inside.ts'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { PathFacts } from '../agent/ports/tool.ts'
import { isControlPath } from './control-files.ts'

export interface PathFactsParts {
  readonly env: ExecutionEnvironment
  /** Real path of the workspace folder. */
  readonly root: string
  /** The folder that `~` stands for. Null if `~` is an ordinary name. */
  readonly home: string | null
  /** Real paths of Countersign's own folders (data, settings). Everything below them counts as control files. */
  readonly ownFolders?: readonly string[]
}

/**
 * Finds the facts about a path that the policy needs. A relative path begins at the root, `~` at the home folder. The result's `path` is
 * real: all links are resolved. For a path that does not exist, the links of its nearest existing ancestor are resolved. Rejects with the
 * environment's coded failure (`EINVAL` for NUL, empty, UNC and device paths, `ELOOP`, `ENAMETOOLONG`, `EACCES` …).
 */
export function createPathFacts({ env, root, home, ownFolders = [] }: PathFactsParts): (path: string) => Promise<PathFacts> {
  return async (path) => {
    if (env.platform() === 'win32') mustBeOrdinaryOnWindows(path)
    const named = resolve(root, atHome(path, home))
    const real = await env.realpath(path.includes('\0') || path === '' ? path : named)
    const outside = !isInside(root, real)
    const control =
      isControlPath(componentsBelow(root, real)) ||
      isControlPath(componentsBelow(root, named)) ||
      ownFolders.some((folder) => isInside(folder, real)) ||
      (await isInRepository(real, env))
    return { path: real, shown: outside ? real : shownInside(root, real), outside, control }
  }
}

/** Paths inside a repository of files that make git start programs or read another repository. */
const IN_REPOSITORY = /\/(?:config|config\.worktree|commondir|info\/attributes|objects\/info\/alternates|hooks\/[^/]+)$/iu

/** Whether a file configures a git repository, whatever the name of its folder. Bare repositories often have another name than `.git`. */
async function isInRepository(path: string, env: ExecutionEnvironment): Promise<boolean> {
  const found = IN_REPOSITORY.exec(path.replaceAll('\\', '/'))
  if (found === null) return false
  const folder = path.slice(0, found.index)
  const parts = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => env.stat(join(folder, name)).catch(() => null)))
  return parts.every((part) => part !== null)
}

/**
 * Like `place`, for an agent that works in another folder of the workspace (a real path): relative paths begin in that folder. All paths
 * are shown in full, so that they are exact and the agent can use them from that folder.
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

/** UNC paths leak the user's password hash, device paths bypass every check, and a colon after a file name introduces a stream. */
function mustBeOrdinaryOnWindows(path: string): void {
  const slashed = path.replaceAll('/', '\\')
  const bad = slashed.startsWith('\\\\') || slashed.startsWith('\\??\\') || /^[a-z]:[^\\]/iu.test(slashed) || slashed.slice(2).includes(':')
  if (bad) throw Object.assign(new Error(`${path} is a network, device or stream path, which is not opened (EINVAL).`), { code: 'EINVAL' })
}
