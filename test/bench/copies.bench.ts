import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandCopies } from '../../main/agent/ports/command-copies.ts'
import { createLocalCommandCopies } from '../../main/environment/copy/local-copies.ts'
import { type Figure, median } from './figures.ts'

const FILES = 50_000
const RUNS = 20

/** What it costs to run a command in a copy of a large folder (approval by effects: at most 50 ms more, in the median). */
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
      await row(copies, folder, 'for i in {1..200}; do echo new > src/d$i/f$i.ts; done', 'its change set of 200 files included'),
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

async function row(copies: CommandCopies, folder: string, command: string, bar: string): Promise<Figure> {
  const times = { copy: [] as number[], bare: [] as number[], drop: [] as number[] }
  // In turn, so that whatever else the machine does falls on both; the first of each is for warming up.
  for (let run = 0; run <= RUNS; run++) {
    const ended = await timed(() => copies.run(command, { timeoutMs: 60_000 }))
    const dropped = await timed(() => ended.value.drop())
    const bare = await timed(() => once(spawn('/bin/bash', ['-c', command], { cwd: folder, stdio: 'ignore' }), 'close'))
    if (run === 0) continue
    times.copy.push(ended.ms)
    times.drop.push(dropped.ms)
    times.bare.push(bare.ms)
  }
  const [copy, bare] = [median(times.copy), median(times.bare)]
  return {
    promise: `${command.slice(0, 30)} in a copy of ${FILES} files`,
    value: `${copy.toFixed(0)} ms beside ${bare.toFixed(0)} ms started bare (${(copy - bare).toFixed(0)} ms more; dropping it ${median(times.drop).toFixed(0)} ms)`,
    method: `median of ${RUNS}, in turn, from the start to the change set; ${bar}`,
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const begin = performance.now()
  const value = await work()
  return { value, ms: performance.now() - begin }
}
