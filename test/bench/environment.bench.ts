import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunningTerminal } from '../../main/agent/ports/execution-environment.ts'
import { createLocalExecutionEnvironment, type LocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { findRipgrep } from '../../main/environment/search/ripgrep/ripgrep.ts'
import { loadNodePtyHost } from '../../main/environment/process/node-pty-host.ts'
import { type Figure, median } from './figures.ts'

const FILES = 20_000
const FOLDERS = 200
const RUNS = 7
const MB = 1_000_000

/** Times our terminals and searches against the bare programs, taking turns. */
export async function benchEnvironment(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const env = createLocalExecutionEnvironment(folder)
  try {
    plant(folder)
    return [...(await searches(env, folder)), ...(await outputs(env)), ...(await waits(env))]
  } finally {
    await env.cleanup()
    rmSync(folder, { recursive: true, force: true })
  }
}

function plant(folder: string): void {
  const filler = 'export function name(value: number): string { return String(value * 2) } // the quick brown fox\n'.repeat(20)
  for (let index = 0; index < FILES; index++) {
    const inner = join(folder, 'src', `d${index % FOLDERS}`)
    if (index < FOLDERS) mkdirSync(inner, { recursive: true })
    const rare = index % 1_000 === 0 ? 'const needle = 1\n' : ''
    const common = index % 2 === 0 ? 'import thing\n' : ''
    writeFileSync(join(inner, `f${index}.${index % 4 === 0 ? 'ts' : 'js'}`), rare + common + filler)
  }
}

async function searches(env: LocalExecutionEnvironment, folder: string): Promise<readonly Figure[]> {
  const program = (await findRipgrep()) ?? 'rg'
  const plain = ['--no-config', '--hidden', '--no-require-git', '--glob', '!.git']
  const fallback = createLocalExecutionEnvironment(folder, { ripgrep: null })
  const bar = 'bar: 1.1 × + 10 ms; the same search by the program alone, its output read, in turn'
  const pairs = [
    ['grep of a rare word', () => env.grep('needle', '.'), [program, ...plain, '-n', 'needle', './']],
    ['grep of 10 000 lines', () => env.grep('thing', '.'), [program, ...plain, '-n', 'thing', './']],
    ['glob **/*.ts', () => env.glob('**/*.ts', '.'), [program, ...plain, '--files', '--glob', '*.ts', './']],
  ] as const
  const figures: Figure[] = []
  for (const [what, ours, argv] of pairs) {
    const { mine, theirs } = await beside(ours, () => ran(argv, folder))
    figures.push({
      promise: `${what}, ${FILES} files`,
      value: `${ms(mine)} beside ${ms(theirs)} of ripgrep (${ratio(mine, theirs)})`,
      method: bar,
    })
  }
  const { mine, theirs } = await beside(
    () => fallback.grep('needle', '.'),
    () => ran(pairs[0][2], folder),
  )
  return [
    ...figures,
    { promise: 'the same grep without ripgrep', value: `${ms(mine)} beside ${ms(theirs)}`, method: 'our own search in a worker' },
  ]
}

async function outputs(env: LocalExecutionEnvironment): Promise<readonly Figure[]> {
  const lines = `yes 'a line of a log that is as long as such lines are' | head -c ${50 * MB}`
  const terminal = { columns: 120, rows: 30, onOpen: () => {} }
  const pty = await beside(
    () => env.execCommand(lines, { terminal, timeoutMs: 60_000 }),
    () => rawPty(lines, env.workingDirectory()),
    3,
  )
  const before = process.memoryUsage().rss
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20)
  await env.execCommand(`yes 'a line of a log' | head -c ${1_000 * MB}`, { timeoutMs: 300_000 })
  clearInterval(timer)
  return [
    {
      promise: '50 MB of lines, in a terminal',
      value: `${(pty.theirs / pty.mine).toFixed(2)} × the raw pty (${ms(pty.mine)})`,
      method: 'bar: 0.8 ×; node-pty read and dropped',
    },
    {
      promise: '1 GB of output',
      value: `${Math.round((peak - before) / MB)} MB more memory at its peak`,
      method: 'bar: 50 MB; resident set of the whole process, sampled every 20 ms',
    },
  ]
}

/** Measures how long it takes until a command that waits for input is marked as waiting. */
async function waits(env: LocalExecutionEnvironment): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const [what, command] of [
    ['read x', 'read x'],
    ["Python's input()", 'python3 -c "input()"'],
    ['a password prompt', 'read -s -p "Password: " x'],
  ] as const) {
    const marks: number[] = []
    for (let run = 0; run < 3; run++) marks.push(await markOf(env, command))
    figures.push({ promise: `${what} is marked as waiting`, value: ms(Math.max(...marks)), method: 'bar: 3 000 ms; the longest of 3' })
  }
  return figures
}

async function markOf(env: LocalExecutionEnvironment, command: string): Promise<number> {
  const begin = performance.now()
  const marked = Promise.withResolvers<number>()
  let terminal: RunningTerminal | null = null
  const running = env.execCommand(command, {
    terminal: { columns: 120, rows: 30, onOpen: (opened) => (terminal = opened) },
    onWaiting: (isWaiting) => isWaiting && marked.resolve(performance.now() - begin),
    timeoutMs: 30_000,
  })
  const took = await Promise.race([marked.promise, running.then(() => Number.NaN)])
  const answer = terminal as RunningTerminal | null
  answer?.write('\n')
  await running
  return took
}

async function rawPty(command: string, cwd: string): Promise<void> {
  const host = await loadNodePtyHost()
  const start = { file: '/bin/bash', args: ['-c', command], cwd, env: { PATH: process.env['PATH'] ?? '' } }
  const pty = await host?.open({ ...start, columns: 120, rows: 30, onBytes: () => {} })
  await pty?.drained
}

/** Runs a program, and reads and discards its output. */
function ran([program, ...args]: readonly [string, ...string[]], cwd: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] })
  child.stdout.resume()
  child.once('close', () => resolve())
  return promise
}

async function beside(
  ours: () => Promise<unknown>,
  bare: () => Promise<unknown>,
  runs = RUNS,
): Promise<{ readonly mine: number; readonly theirs: number }> {
  const mine: number[] = []
  const theirs: number[] = []
  // The first run of each is a warm-up.
  for (let run = 0; run <= runs; run++) {
    mine.push(await timed(ours))
    theirs.push(await timed(bare))
  }
  return { mine: median(mine.slice(1)), theirs: median(theirs.slice(1)) }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
const ratio = (mine: number, theirs: number): string => `${(mine / theirs).toFixed(2)} ×`
