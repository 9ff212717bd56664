import { basename, dirname, join } from 'node:path'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import type { PathFacts } from '../../agent/ports/tool.ts'
import { shownPath } from '../define/outcome.ts'
import { plainPunctuation } from '../patch/line-matches.ts'

/** Names offered at most, and entries of a folder looked at. */
const OFFERED = 3
const LOOKED_AT = 5000

/**
 * That a path leads to nothing, with names of its folder that it may have meant; when there are none, `otherwise` is what to do. Of a folder
 * outside no names are told: nobody has signed a look at it.
 */
export async function doesNotExist(env: ExecutionEnvironment, { path, shown, outside }: PathFacts, otherwise: string): Promise<string> {
  const elsewhere = outside ? null : await withoutExtraFolder(env, shown)
  const near =
    elsewhere !== null
      ? [shownPath(elsewhere)]
      : (outside ? [] : await nearNames(env, path)).map((name) => shownPath(join(dirname(shown), name)))
  return `${shownPath(shown)} does not exist. ${near.length > 0 ? `Did you mean ${near.join(', ')}?` : otherwise}`.trimEnd()
}

/** The file that is there when a folder named twice, or the project's own name, is left out of the path. Null: none. */
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
 * The file that a path means whose name only looks like the one that is there: with other quotes, dashes or blanks, or in another normal form,
 * as systems name what they capture. Null: none, several, or a link, which may lead elsewhere. Of folders outside nothing is told.
 */
export async function lookalike(env: ExecutionEnvironment, place: PathFacts, likeness: Likeness = asSeen): Promise<PathFacts | null> {
  const own = basename(place.path)
  const hasOneForm = likeness === sameLetters && own.normalize('NFC') === own.normalize('NFD')
  if (place.outside || hasOneForm) return null
  const entries = await env.listDirectory(dirname(place.path)).catch(() => [])
  const [found, ...others] = entries.filter(({ name, isDir }) => !isDir && name !== own && likeness(name) === likeness(own))
  if (!found || others.length > 0) return null
  const path = join(dirname(place.path), found.name)
  return (await env.realpath(path).catch(() => null)) === path ? { ...place, path, shown: join(dirname(place.shown), found.name) } : null
}

/** What is the same of two names that are alike. */
type Likeness = (name: string) => string

/** Not even a text tells them apart: systems differ in how they take letters apart. */
export const sameLetters: Likeness = (name) => name.normalize('NFC')
const asSeen: Likeness = (name) => plainPunctuation(sameLetters(name))

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

/** Insertions, removals and changes of one character. */
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
