import Database from 'better-sqlite3'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSearchIndex } from '../../main/history/search-index.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local.ts'
import { createFileFinder } from '../../main/workspace/find-files.ts'
import { createWorkspaces } from '../../main/workspace/workspaces.ts'
import type { FoundIn, HistoryQuery } from '../../shared/api/history.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Figure } from './figures.ts'

const TEXTS = 1_000_000
const BATCH = 2_000
const FILES = 100_000
const ROUNDS = 40

/** The search of the history over 1,000,000 texts (p95 at most 50 ms), and paths after `@` in 100,000 files (at most 50 ms). */
export async function benchFind(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-find-'))
  try {
    return [await history(folder), await paths(folder)]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const WORDS = ['invoice', 'period', 'getMonth', 'render', 'session', 'folder', 'const', 'return', 'error', 'parse', 'tests', 'retry']
const ANY: Omit<HistoryQuery, 'words'> = {
  ...{ foundIn: null, folder: null, sessionId: null, touched: '', order: 'newest' },
  ...{ model: null, state: null, since: null, until: null },
}
const PLACES: readonly FoundIn[] = ['you', 'answer', 'run', 'output', 'diff']

/** A line of several known words and one of its own. */
const textAt = (at: number): string =>
  `${Array.from({ length: 12 }, (_, word) => WORDS[(at * 7 + word * word * 13) % WORDS.length]).join(' ')} unique${at.toString(36)}`

async function history(folder: string): Promise<Figure> {
  const db = new Database(join(folder, 'search.db'))
  const index = openSearchIndex(db, () => ({ model: 'model', state: 'done' }))
  const began = performance.now()
  for (let from = 0; from < TEXTS; from += BATCH) {
    const events = Array.from({ length: BATCH }, (_, step) => {
      const seq = from + step + 1
      const texts = [{ foundIn: PLACES[seq % PLACES.length] ?? 'output', text: textAt(seq), path: null }] as const
      return { seq, sessionId: `s_${seq % 550}` as SessionId, folder: `/w/${seq % 9}`, at: seq, item: null, texts }
    })
    index.add(events, from + BATCH)
  }
  const filled = performance.now() - began
  const asked = [...WORDS, 'getMonth render', 'onth', 'unique7d', '"error parse"', 'nothingatall', 'retry unique'].flatMap((words) => [
    words,
    words.slice(0, 4),
  ])
  const times = asked.map((words) => timed(() => index.search({ ...ANY, words })))
  db.close()
  const value = `${at(times, 0.5)} ms median, ${at(times, 0.95)} ms p95, ${at(times, 1)} ms at most`
  return {
    promise: 'search over 1,000,000 texts',
    value,
    method: `${times.length} searches of frequent and rare words; ${Math.round(TEXTS / (filled / 1000))} texts indexed per second`,
  }
}

async function paths(root: string): Promise<Figure> {
  const folder = join(root, 'project')
  for (let at = 0; at < FILES; at += 100) {
    const inner = join(folder, `package-${at % 17}`, `part-${at}`)
    await mkdir(inner, { recursive: true })
    await Promise.all(Array.from({ length: 100 }, (_, file) => writeFile(join(inner, `module-${at + file}.ts`), '')))
  }
  const workspaces = createWorkspaces({ createEnvironment: createLocalExecutionEnvironment, home: '/nobody/at/home', ownFolders: [] })
  const files = createFileFinder(workspaces, () => 0)
  const first = await timedAsync(() => files.find(folder, 'module', []))
  const typed = ['m', 'mod', 'module-4', 'part-77', 'p3m9', 'package-1/mod', 'zzz', 'module-99999.ts']
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await timedAsync(() => files.find(folder, typed[round % typed.length] ?? '', [])))
  await workspaces.closeAll()
  return {
    promise: 'paths after @ in 100,000 files',
    value: `${at(times, 0.5)} ms median, ${at(times, 0.95)} ms p95`,
    method: `${ROUNDS} searches; the first one reads the folder: ${Math.round(first)} ms`,
  }
}

function timed(work: () => unknown): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

async function timedAsync(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const at = (times: readonly number[], share: number): string => {
  const sorted = times.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
}
