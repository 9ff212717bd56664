import Database from 'better-sqlite3'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openSearchIndex } from '../../main/history/search-index.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { createSymbolFinder } from '../../main/workspace/find-symbols.ts'
import { createFileFinder } from '../../main/workspace/find-files.ts'
import { createWorkspaces } from '../../main/workspace/workspaces.ts'
import type { FoundIn, HistoryQuery } from '../../shared/api/history.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Figure } from './figures.ts'
import { ANY } from '../history/any-query.ts'

const TEXTS = 1_000_000
const BATCH = 2_000
const OLD_TEXTS = 4_000
const FILES = 100_000
const ROUNDS = 40

/**
 * Measures searching the history over 1,000,000 texts, and finding paths and symbols after `@` in 100,000 files (p95 at most 50 ms each).
 */
export async function benchFind(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-find-'))
  try {
    const project = await codeFolder(folder)
    return [...(await history(folder)), await paths(project), await symbols(project, join(folder, 'cache'))]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const WORDS = ['invoice', 'period', 'getMonth', 'render', 'session', 'folder', 'const', 'return', 'error', 'parse', 'tests', 'retry']
/** The time range of the oldest texts, which are one minute apart. */
const OLD_DAYS = { since: 0, until: OLD_TEXTS * 60_000 } as const
const PLACES: readonly FoundIn[] = ['you', 'answer', 'run', 'output', 'diff']

/** Returns a line of twelve known words and one new word. */
const textAt = (at: number): string =>
  `${Array.from({ length: 12 }, (_, word) => WORDS[(at * 7 + word * word * 13) % WORDS.length]).join(' ')} unique${at.toString(36)}`

async function history(folder: string): Promise<readonly Figure[]> {
  const db = new Database(join(folder, 'search.db'))
  const index = openSearchIndex(db, (id) => ({ model: id === 's_old' ? 'old' : 'model', state: 'done' }))
  const began = performance.now()
  for (let from = 0; from < TEXTS; from += BATCH) {
    const events = Array.from({ length: BATCH }, (_, step) => {
      const seq = from + step + 1
      const texts = [{ foundIn: PLACES[seq % PLACES.length] ?? 'output', text: textAt(seq), path: null }] as const
      // All texts of the first session and of the first folder are old.
      const isOld = seq <= OLD_TEXTS
      const sessionId = (isOld ? 's_old' : `s_${seq % 550}`) as SessionId
      return { seq, sessionId, folder: isOld ? '/w/old' : `/w/${seq % 9}`, at: seq * 60_000, item: null, step: 0, isCut: false, texts }
    })
    index.add(events, from + BATCH)
  }
  const filled = performance.now() - began
  const asked = [...WORDS, 'getMonth render', 'onth', 'unique7d', '"error parse"', 'nothingatall', 'retry unique'].flatMap((words) => [
    words,
    words.slice(0, 4),
  ])
  const times = asked.map((words) => timed(() => index.search({ ...ANY, words })))
  const filters: readonly Partial<HistoryQuery>[] = [
    { folder: '/w/old' },
    { folder: '/w/3' },
    { foundIn: 'run' },
    { model: 'old' },
    OLD_DAYS,
  ]
  const filtered = WORDS.flatMap((words) => filters.map((filter) => timed(() => index.search({ ...ANY, words, ...filter }))))
  db.close()
  const spread = (each: readonly number[]): string => `${at(each, 0.5)} ms median, ${at(each, 0.95)} ms p95, ${at(each, 1)} ms at most`
  return [
    {
      promise: 'search over 1,000,000 texts',
      value: spread(times),
      method: `${times.length} searches of frequent and rare words; ${Math.round(TEXTS / (filled / 1000))} texts indexed per second`,
    },
    {
      promise: 'search with a filter over 1,000,000 texts',
      value: spread(filtered),
      method: `${filtered.length} searches of frequent words in one folder, place, model or time; three fifths of them find only the oldest texts`,
    },
  ]
}

const codeAt = (at: number): string =>
  `export class Module${at} {\n  async loadPart${at % 977}() {\n  }\n}\nexport function parse${WORDS[at % WORDS.length]}${at}() {}\nexport const MOST_${at} = 1\n`

/** Creates 100,000 files with four definitions each. */
async function codeFolder(root: string): Promise<string> {
  const folder = join(root, 'project')
  for (let at = 0; at < FILES; at += 100) {
    const inner = join(folder, `package-${at % 17}`, `part-${at}`)
    await mkdir(inner, { recursive: true })
    await Promise.all(Array.from({ length: 100 }, (_, file) => writeFile(join(inner, `module-${at + file}.ts`), codeAt(at + file))))
  }
  return folder
}

async function paths(folder: string): Promise<Figure> {
  const workspaces = createWorkspaces({ createEnvironment: createLocalExecutionEnvironment, home: '/nobody/at/home', ownFolders: [] })
  const files = createFileFinder(workspaces, () => 0)
  const first = await timedAsync(() => files.find(folder, 'module', []))
  const typed = ['m', 'mod', 'module-4', 'part-77', 'p3m9', 'package-1/mod', 'zzz', 'module-99999.ts']
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await timedAsync(() => files.find(folder, typed[round % typed.length] ?? '', [])))
  await workspaces.closeAll()
  return {
    promise: 'completion of a path after @, 100,000 files',
    value: `${at(times, 0.5)} ms median, ${at(times, 0.95)} ms p95`,
    method: `${ROUNDS} searches; the first one reads the folder: ${Math.round(first)} ms`,
  }
}

async function symbols(folder: string, cache: string): Promise<Figure> {
  const workspaces = createWorkspaces({ createEnvironment: createLocalExecutionEnvironment, home: '/nobody/at/home', ownFolders: [] })
  const finder = createSymbolFinder(workspaces, cache, () => 0)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const whole = await timedAsync(async () => {
    while (!(await finder.find(folder, 'Module1')).isReady) await new Promise((resolve) => setTimeout(resolve, 20))
  })
  const typed = ['Mo', 'module4', 'parsere', 'lP97', 'MOST_9999', 'zzz', 'pI12', 'e']
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await timedAsync(() => finder.find(folder, typed[round % typed.length] ?? '')))
  delay.disable()
  await finder.close()
  const again = createSymbolFinder(workspaces, cache, () => 0)
  const restarted = await timedAsync(async () => {
    while (!(await again.find(folder, 'Module1')).isReady) await new Promise((resolve) => setTimeout(resolve, 20))
  })
  await again.close()
  await workspaces.closeAll()
  return {
    promise: 'completion of a symbol after @, 100,000 files',
    value: `${at(times, 0.5)} ms median, ${at(times, 0.95)} ms p95; main busy for ${(delay.max / 1e6).toFixed(0)} ms at most`,
    method: `${ROUNDS} searches over 400,000 definitions; reading the folder first takes ${(whole / 1000).toFixed(1)} s, after a restart ${(restarted / 1000).toFixed(1)} s`,
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
