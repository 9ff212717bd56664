import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { definitionIn } from '../../main/environment/symbols/symbol-rules.ts'
import { createSymbolFinder } from '../../main/workspace/find-symbols.ts'
import { createWorkspaces } from '../../main/workspace/workspaces.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const FILES = {
  'src/loop.ts': 'export async function runTurn() {}\nexport class Loop {\n  async runStep(n: number) {\n    if (n) {\n    }\n  }\n}\n',
  'src/turn-list.tsx': 'const TurnList = () => null\nexport const MOST = 3\n',
  'tools/turns.py': 'class TurnReader:\n    def read(self):\n        pass\n',
  'cmd/main.go': 'package main\n\nfunc (t *Turn) Close() {}\n',
  'dist/loop.js': 'function runTurn() {}\n',
  '.gitignore': 'dist/\n',
  'notes.md': 'function runTurn\n',
}

/** Creates a folder with the files in `FILES`. `started` creates the finder of their symbols, as each launch of the app does. */
function place() {
  const base = temporaryFolder('symbols')
  const folder = join(base, 'project')
  const cache = join(base, 'cache')
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const [path, text] of Object.entries(FILES)) put(path, text)
  const workspaces = createWorkspaces({ createEnvironment: createLocalExecutionEnvironment, home: '/nobody/at/home', ownFolders: [] })
  onTestFinished(() => workspaces.closeAll())
  const clock = { ms: 0 }
  const started = () => {
    const finder = createSymbolFinder(workspaces, cache, () => clock.ms)
    onTestFinished(() => finder.close())
    const find = async (typed: string): Promise<readonly string[]> => {
      const { symbols } = await finder.find(folder, typed)
      return symbols.map(({ name, kind, path, line }) => `${kind} ${name} ${path}:${line}`)
    }
    /** Repeats the search until the folder has been read. */
    const whenRead = async (typed: string): Promise<readonly string[]> => {
      await expect.poll(async () => (await finder.find(folder, typed)).isReady, { interval: 5 }).toBe(true)
      return find(typed)
    }
    return { find, whenRead, close: finder.close }
  }
  return { put, clock, cache, started }
}

test('symbols of all languages are found by their beginning, a word in them or their initials, but not in ignored files', async () => {
  const { whenRead, find } = place().started()
  expect(await whenRead('runt')).toEqual(['function runTurn src/loop.ts:1'])
  expect(await find('rs')).toEqual(['method runStep src/loop.ts:3'])
  expect(await find('turn')).toEqual([
    'function TurnList src/turn-list.tsx:1',
    'class TurnReader tools/turns.py:1',
    'function runTurn src/loop.ts:1',
  ])
  expect(await find('close')).toEqual(['method Close cmd/main.go:3'])
  expect(await find('most')).toEqual(['constant MOST src/turn-list.tsx:2'])
  expect(await find('if')).toEqual([])
})

test('changed files are read again, removed files are dropped, and the next run reuses the index', async () => {
  const { put, clock, cache, started } = place()
  const { whenRead, find } = started()
  await whenRead('runTurn')
  const stored = () => expect.poll(() => (existsSync(cache) ? readdirSync(cache) : [])).toEqual([expect.stringMatching(/\.json$/u)])
  await stored()
  put('src/loop.ts', '\n\nexport const endTurn = () => 1\n')
  expect(await find('endTurn')).toEqual([])
  clock.ms += 60_000
  await expect.poll(() => find('endTurn')).toEqual(['function endTurn src/loop.ts:3'])
  expect(await find('runTurn')).toEqual([])
  await stored()
  expect(await started().whenRead('endTurn')).toEqual(['function endTurn src/loop.ts:3'])
})

test('closing waits until a large index is stored', async () => {
  const { put, cache, started } = place()
  for (let file = 0; file < 5_000; file++) put(`many/${file}.ts`, `export function part${file}() {}\nexport class Part${file} {}\n`)
  const { whenRead, close } = started()
  await whenRead('part4999')
  await close()
  expect(readdirSync(cache)).toEqual([expect.stringMatching(/\.json$/u)])
})

describe('a line', () => {
  test.each([
    ['a.ts', 'export default abstract class Plan<T> {', 'class', 'Plan'],
    ['a.ts', '  static async #load(path: string): Promise<void> {', 'method', 'load'],
    ['a.ts', '  if (isOpen(path)) {', null, null],
    ['a.ts', 'export const read = async (path: string) => {', 'function', 'read'],
    ['a.rs', '    pub(crate) async unsafe fn spawn_all<T>(', 'fn', 'spawn_all'],
    ['a.kt', 'override suspend fun String.toPlan(): Plan {', 'function', 'toPlan'],
    ['A.java', '    private static final Map<String, List<Plan>> load(Path path) {', 'method', 'load'],
    ['a.rb', '  def self.open?(x)', 'method', 'open?'],
    ['a.c', 'static int *read_all(struct file *f,', 'function', 'read_all'],
    ['a.c', 'int read_all(struct file *f);', null, null],
    ['a.sh', 'build_all() {', 'function', 'build_all'],
    ['a.txt', 'function x() {', null, null],
  ])('%s: %s', (path, text, kind, name) => {
    expect(definitionIn(path, text)).toEqual(name === null ? null : { kind, name })
  })
})
