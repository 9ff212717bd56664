import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CommandCopies } from '../../main/agent/ports/command-copies.ts'
import { createPolicy } from '../../main/approval/policy.ts'
import { createLocalCommandCopies } from '../../main/environment/copy/local-command-copies.ts'
import type { CommandEffect } from '../../shared/session/effects.ts'
import { APPROVAL_MODES } from '../../shared/session/settings/approval-mode.ts'
import ORDINARY from '../approval/lines/ordinary.json' with { type: 'json' }
import { type Figure, median } from './figures.ts'
import { told, watchMain } from './main-watch.ts'

const FILES = 50_000
const RUNS = 20

/** Measures the cost of running a command in a copy of a large folder (target: at most 50 ms more, in the median). */
export async function benchCopies(): Promise<readonly Figure[]> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bench-')))
  const folder = join(base, 'project')
  const copies = createLocalCommandCopies({ folder, layers: join(base, 'data') })
  try {
    plant(folder)
    const support = await copies.support()
    if (support.kind === 'absent') return [{ promise: 'a command in a copy', value: 'skipped', method: support.reason }]
    return [
      await row(copies, folder, 'true', 'bar: 50 ms more'),
      await row(copies, folder, 'git status --porcelain', 'bar: 300 ms in the copy'),
      ...(await benchTools(join(base, 'tools'), join(base, 'data'))),
      ...(await benchAsking(copies, folder)),
      await row(copies, folder, 'for i in {1..200}; do echo new > src/d$i/f$i.ts; done', 'this includes its change set of 200 files'),
      await treeRow(copies, folder),
    ]
  } finally {
    await copies.cleanup()
    rmSync(base, { recursive: true, force: true })
  }
}

function plant(folder: string): void {
  for (let index = 0; index < FILES; index++) {
    const inner = join(folder, 'src', `d${index % 500}`)
    if (index < 500) mkdirSync(inner, { recursive: true })
    writeFileSync(join(inner, `f${index}.ts`), `export const n${index} = ${index}\n`)
  }
  const git = (...args: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', ...args], { cwd: folder })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'all')
}

const TYPES = 300

/** Compares `tsc` and `npm test` in a copy of a small project with the same commands outside a copy. */
async function benchTools(folder: string, layers: string): Promise<readonly Figure[]> {
  mkdirSync(join(folder, 'src'), { recursive: true })
  const compiler = dirname(fileURLToPath(import.meta.resolve('typescript/package.json')))
  // Both folders are copied, because the compiler's executable is in a package for the platform, below `@typescript`.
  for (const name of ['typescript', '@typescript'])
    cpSync(join(dirname(compiler), name), join(folder, 'node_modules', name), { recursive: true, dereference: true })
  for (let index = 0; index < TYPES; index++) {
    const uses = index === 0 ? '' : `import { f${index - 1} } from './m${index - 1}.ts'\nexport const used = f${index - 1}\n`
    writeFileSync(
      join(folder, 'src', `m${index}.ts`),
      `${uses}export function f${index}(one: { a: number }): number { return one.a + ${index} }\n`,
    )
  }
  for (let index = 0; index < 10; index++)
    writeFileSync(
      join(folder, `t${index}.test.js`),
      `require('node:test')('adds', () => { require('node:assert').equal(1 + ${index}, ${index + 1}) })\n`,
    )
  writeFileSync(join(folder, 'package.json'), '{"scripts":{"test":"node --test"}}')
  writeFileSync(
    join(folder, 'tsconfig.json'),
    '{"compilerOptions":{"noEmit":true,"allowImportingTsExtensions":true,"strict":true},"include":["src"]}',
  )
  const copies = createLocalCommandCopies({ folder, layers })
  try {
    return [
      await ratioRow(copies, folder, 'node node_modules/typescript/bin/tsc', `${TYPES} files`),
      await ratioRow(copies, folder, 'npm test', '10 files of tests'),
    ]
  } finally {
    await copies.cleanup()
  }
}

async function ratioRow(copies: CommandCopies, folder: string, command: string, what: string): Promise<Figure> {
  const { copy, bare } = await timesOf(copies, folder, command, 8)
  return {
    promise: `${command} in a copy, compared with a plain run`,
    value: `${(copy / bare).toFixed(2)} × (${copy.toFixed(0)} ms beside ${bare.toFixed(0)} ms)`,
    method: `${what}, median of 8, in turn; bar: 1.15 ×`,
  }
}

/** Counts how many ordinary commands need approval in each mode. With a sandbox, the commands that only read are really run. */
async function benchAsking(copies: CommandCopies, folder: string): Promise<readonly Figure[]> {
  const policy = createPolicy({ root: folder, home: null })
  const effects = (some: readonly string[]): readonly CommandEffect[] =>
    some.map((command) => ({ kind: 'command', command, cwd: folder, outside: false, env: {}, timeoutMs: 1000, destructive: false }))
  const changing: string[] = []
  for (const command of ORDINARY.reads) {
    const ended = await copies.run(command, { timeoutMs: 20_000 })
    if (ended.changeSet.changes.length > 0 || ended.unfit !== null || ended.secondTry !== null) changing.push(command)
    await ended.drop()
  }
  return APPROVAL_MODES.map((mode) => {
    const stopped = (some: readonly CommandEffect[]): number =>
      some.filter((effect) => policy.judge([effect], mode).kind !== 'allow').length
    // A command that changes nothing in its copy never needs approval.
    const reading = effects(ORDINARY.reads)
    const inCopies = reading.filter((effect) => policy.sandboxFor(effect, mode, null) === 'copy')
    const unseen = reading.filter((effect) => !inCopies.includes(effect))
    const withSandbox = stopped(unseen) + inCopies.filter(({ command }) => changing.includes(command)).length
    const reads = ORDINARY.reads.length
    const changes = ORDINARY.changes.length
    return {
      promise: `ordinary commands that ${mode === 'plan' ? 'are denied' : 'need approval'} in mode ${mode}`,
      value: `of ${reads} that only read ${withSandbox} with a sandbox, ${stopped(reading)} without; of ${changes} others ${stopped(effects(ORDINARY.changes))} without`,
      method: mode === 'plan' || mode === 'full' ? 'no bar' : 'bars of those that only read: 0 with a sandbox, 30 % without',
    }
  })
}

async function timesOf(copies: CommandCopies, folder: string, command: string, runs: number) {
  const times = { copy: [] as number[], bare: [] as number[], drop: [] as number[] }
  // The variants run alternately, so that other load on the machine affects both. The first run of each is a warm-up.
  for (let run = 0; run <= runs; run++) {
    const ended = await timed(() => copies.run(command, { timeoutMs: 60_000 }))
    const dropped = await timed(() => ended.value.drop())
    const bare = await timed(() => once(spawn('/bin/bash', ['-c', command], { cwd: folder, stdio: 'ignore' }), 'close'))
    if (bare.value[0] !== 0 || ended.value.result.exitCode !== 0) throw new Error(`${command} failed.`)
    if (run === 0) continue
    times.copy.push(ended.ms)
    times.drop.push(dropped.ms)
    times.bare.push(bare.ms)
  }
  return { copy: median(times.copy), bare: median(times.bare), drop: median(times.drop) }
}

async function row(copies: CommandCopies, folder: string, command: string, bar: string): Promise<Figure> {
  const { copy, bare, drop } = await timesOf(copies, folder, command, RUNS)
  return {
    promise: `${command.slice(0, 30)} in a copy of ${FILES} files`,
    value: `${copy.toFixed(0)} ms beside ${bare.toFixed(0)} ms started bare (${(copy - bare).toFixed(0)} ms more; dropping it ${drop.toFixed(0)} ms)`,
    method: `median of ${RUNS}, in turn, from the start to the change set; ${bar}`,
  }
}

const PACKAGES = 400

/** Measures a command that fills an ignored folder, which is hashed as one unit after the command. */
async function treeRow(copies: CommandCopies, folder: string): Promise<Figure> {
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\n')
  const command = `for i in {1..${PACKAGES}}; do mkdir -p node_modules/p$i; touch node_modules/p$i/{1..100}; done`
  const watched = await watchMain(async () => (await copies.run(command, { timeoutMs: 120_000 })).drop())
  return {
    promise: `a new ignored folder of ${PACKAGES * 100} files`,
    value: told(watched),
    method: 'event loop of the process that runs the command; bar: no task above 50 ms',
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const begin = performance.now()
  const value = await work()
  return { value, ms: performance.now() - begin }
}
