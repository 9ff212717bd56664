import { byReader, modelOnly, type Reason, reason } from '../../agent/reason.ts'
import { basename, dirname, join } from 'node:path'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import type { PathFacts } from '../../agent/ports/tool.ts'
import { shownPath } from '../define/tool-path.ts'
import { plainPunctuation } from '../patch/line-matches.ts'

/** Maximum number of names that are offered, and of folder entries that are compared. */
const OFFERED = 3
const LOOKED_AT = 5000

/**
 * Says that a file does not exist and offers similar names from its folder. If there are none, `otherwise` says what to do, for the model. For a folder
 * outside the project, no names are offered, because the user has not approved reading it.
 */
export async function doesNotExist(env: ExecutionEnvironment, { path, shown, outside }: PathFacts, otherwise: string): Promise<Reason> {
  const elsewhere = outside ? null : await withoutExtraFolder(env, shown)
  const near =
    elsewhere !== null
      ? [shownPath(elsewhere)]
      : (outside ? [] : await nearNames(env, path)).map((name) => shownPath(join(dirname(shown), name)))
  const missing = reason`${shownPath(shown)} does not exist.`
  if (near.length > 0) return reason`${missing} ${byReader('Did you mean', 'Did the agent mean')} ${near.join(', ')}?`
  return otherwise === '' ? missing : reason`${missing} ${modelOnly(otherwise)}`
}

/** Removes a repeated folder, or the project's own name, from the path. Returns the result if there is such a file, otherwise null. */
async function withoutExtraFolder(env: ExecutionEnvironment, shown: string): Promise<string | null> {
  const root = env.workingDirectory()
  const parts = shown.split('/')
  for (const [at, part] of parts.slice(0, -1).entries()) {
    const rest = part === basename(root) ? parts.slice(at + 1) : part === parts[at + 1] ? parts.toSpliced(at, 1) : []
    if (rest.length > 0 && (await env.stat(join(root, ...rest)))?.kind === 'file') return rest.join('/')
  }
  return null
}

/**
 * The file whose name looks like the one in the path, but has different quotes, dashes or spaces, as some systems use for screenshots. Null
 * if there is no such file, there are several, it is a link, or it is outside the project.
 */
export async function lookalike(env: ExecutionEnvironment, place: PathFacts): Promise<PathFacts | null> {
  const own = basename(place.path)
  if (place.outside) return null
  const entries = await env.listDirectory(dirname(place.path)).catch(() => [])
  const [found, ...others] = entries.filter(({ name, isDir }) => !isDir && name !== own && asSeen(name) === asSeen(own))
  if (!found || others.length > 0) return null
  const path = join(dirname(place.path), found.name)
  return (await env.realpath(path).catch(() => null)) === path ? { ...place, path, shown: join(dirname(place.shown), found.name) } : null
}

/** Returns the same text for two names that look the same. */
function asSeen(name: string): string {
  return plainPunctuation(name.normalize('NFC'))
}

async function nearNames(env: ExecutionEnvironment, path: string): Promise<readonly string[]> {
  const wanted = basename(path).toLowerCase()
  const entries = await env.listDirectory(dirname(path)).catch(() => [])
  return entries
    .slice(0, LOOKED_AT)
    .map(({ name }) => ({ name, far: distance(wanted, name.toLowerCase()) }))
    .filter(({ name, far }) => far <= Math.max(1, Math.floor(wanted.length / 3)) || sameStem(wanted, name.toLowerCase()))
    .toSorted((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1))
    .slice(0, OFFERED)
    .map(({ name }) => name)
}

function sameStem(a: string, b: string): boolean {
  const stem = (name: string): string => name.replace(/(?<=.)\.[^.]*$/u, '')
  return stem(a) === stem(b)
}

/** The edit distance: the number of insertions, deletions and substitutions of characters. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > a.length) return Infinity
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? Infinity
}
