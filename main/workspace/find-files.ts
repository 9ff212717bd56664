import { setImmediate as otherWork } from 'node:timers/promises'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { lettersOf } from '../environment/symbols/symbol-index.ts'
import { filesOfGit } from './files-of-git.ts'
import type { Workspaces } from './workspaces.ts'

/** Maximum number of paths that are known for a folder. Further paths are not suggested. */
const MAX_PATHS = 300_000
/** Time in ms for which a list is used before the folder is read again, in parallel with the search. */
const FRESH_MS = 5_000
/** Maximum number of folders whose lists are kept. */
const MAX_FOLDERS = 4
/** Number of paths that are compared before other work may run: about 5 ms. */
const SLICE = 10_000
const MAX_FOUND = 50

export interface FileFinder {
  /**
   * Paths of a folder (given by its real path) that match the typed text, best first, at most 50. Folders end with `/`. Matching paths in
   * `recent` come before all others. Files that git ignores are left out.
   */
  find(folder: string, typed: string, recent: readonly string[]): Promise<readonly string[]>
}

interface PathList {
  readonly paths: readonly string[]
  readonly folded: readonly string[]
  /** The letters of each path as bits (`lettersOf`), so that most paths are skipped after one comparison. */
  readonly letters: Int32Array
  readonly at: number
}

/** `now` returns ms from any monotonic clock. */
export function createFileFinder(workspaces: Pick<Workspaces, 'open'>, now: () => number): FileFinder {
  const lists = new Map<string, PathList>()
  const reading = new Map<string, Promise<PathList>>()
  const read = (folder: string): Promise<PathList> => {
    const begun = reading.get(folder)
    if (begun) return begun
    const list = readList(workspaces, folder, now).finally(() => reading.delete(folder))
    reading.set(folder, list)
    list.then(
      (done) => {
        lists.delete(folder)
        lists.set(folder, done)
        for (const oldest of [...lists.keys()].slice(0, -MAX_FOLDERS)) lists.delete(oldest)
      },
      () => {},
    )
    return list
  }
  return {
    async find(folder, typed, recent) {
      const known = lists.get(folder)
      if (!known || now() - known.at > FRESH_MS) {
        const fresh = read(folder)
        if (known) fresh.catch(() => {})
        else await fresh
      }
      const list = known ?? lists.get(folder)
      return list ? bestOf(list, typed, new Set(recent)) : []
    },
  }
}

async function readList(workspaces: Pick<Workspaces, 'open'>, folder: string, now: () => number): Promise<PathList> {
  const opened = await workspaces.open(folder)
  if (!opened.ok) return { paths: [], folded: [], letters: new Int32Array(), at: now() }
  try {
    const files = (await filesOfGit(opened.value.environment, 'not-ignored', MAX_PATHS)) ?? (await allFiles(opened.value.environment))
    const paths: string[] = []
    const folders = new Set<string>()
    for (const [at, path] of files.entries()) {
      if (at % SLICE === 0) await otherWork()
      for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
        const above = path.slice(0, end + 1)
        if (folders.has(above)) continue
        folders.add(above)
        paths.push(above)
      }
      paths.push(path)
    }
    const folded: string[] = []
    const letters = new Int32Array(paths.length)
    for (const [at, path] of paths.entries()) {
      if (at % SLICE === 0) await otherWork()
      const lower = path.toLowerCase()
      folded.push(lower)
      letters[at] = lettersOf(lower)
    }
    return { paths, folded, letters, at: now() }
  } finally {
    await opened.value.close()
  }
}

const allFiles = async (env: ExecutionEnvironment): Promise<readonly string[]> =>
  (await env.glob('**/*', '.', { maxResults: MAX_PATHS }).catch(() => ({ paths: [] }))).paths

interface Scored {
  readonly path: string
  readonly score: number
}

/** Added to the score of a recently used path. */
const RECENT = 1_000

async function bestOf({ paths, folded, letters }: PathList, typed: string, recent: ReadonlySet<string>): Promise<readonly string[]> {
  const sought = soughtOf(typed)
  const wantedLetters = lettersOf(sought.wanted)
  const best: Scored[] = []
  for (let at = 0; at < paths.length; at++) {
    if (at % SLICE === SLICE - 1) await otherWork()
    if (((letters[at] ?? 0) & wantedLetters) !== wantedLetters) continue
    const path = paths[at] ?? ''
    const bonus = (recent.size > 0 && recent.has(path) ? RECENT : 0) - path.length / 1_000
    const last = best.length === MAX_FOUND ? best.at(-1) : undefined
    const found = scoreOf(folded[at] ?? '', sought, last ? last.score - bonus : -Infinity)
    if (found === null) continue
    const score = found + bonus
    if (!last || score > last.score || (score === last.score && path < last.path)) insert(best, { path, score })
  }
  return best.map(({ path }) => path)
}

/** Keeps only the best paths, in order, because sorting all matches would take longer than finding them. */
function insert(best: Scored[], one: Scored): void {
  const place = best.findIndex((other) => comesBefore(one, other))
  best.splice(place === -1 ? best.length : place, 0, one)
  if (best.length > MAX_FOUND) best.pop()
}

const comesBefore = (a: Scored, b: Scored): boolean => a.score > b.score || (a.score === b.score && a.path < b.path)

interface Sought {
  readonly wanted: string
  readonly letters: readonly number[]
}

function soughtOf(typed: string): Sought {
  const wanted = typed.toLowerCase()
  return { wanted, letters: Array.from({ length: wanted.length }, (_, at) => wanted.charCodeAt(at)) }
}

/** The highest score of letters that only occur in order. */
const MOST_IN_ORDER = 50

/**
 * Scores a path; a higher score is better. From best to worst: the file name begins with the text, the name contains it, the path contains
 * it, its letters occur in the path in this order. Null if there is no match, or if the score is known to be below `least`.
 */
function scoreOf(path: string, { wanted, letters }: Sought, least: number): number | null {
  if (wanted === '') return path.includes('/', 0) && !path.endsWith('/') ? 0 : 1
  const first = path.indexOf(wanted)
  if (first === -1) return least > MOST_IN_ORDER ? null : inOrder(path, letters)
  const nameFrom = path.lastIndexOf('/', path.length - 2) + 1
  const inName = first >= nameFrom ? first : path.indexOf(wanted, nameFrom)
  if (inName === -1) return 100
  if (inName > nameFrom) return 200
  return path.length - nameFrom === wanted.length ? 400 : 300
}

const [SLASH, DOT, UNDERSCORE, DASH] = [0x2f, 0x2e, 0x5f, 0x2d] as const
const endsWord = (code: number): boolean => code === SLASH || code === DOT || code === UNDERSCORE || code === DASH

/**
 * Scores letters that occur in the path in this order. Letters that begin a word of the path count more. Compares numbers, because an
 * `indexOf` per letter takes twice as long.
 */
function inOrder(path: string, letters: readonly number[]): number | null {
  let from = 0
  let score = 0
  for (const letter of letters) {
    let at = from
    while (at < path.length && path.charCodeAt(at) !== letter) at++
    if (at === path.length) return null
    if (at === 0 || endsWord(path.charCodeAt(at - 1))) score += 2
    else if (at === from) score += 1
    from = at + 1
  }
  return (score * MOST_IN_ORDER) / (letters.length * 2)
}
