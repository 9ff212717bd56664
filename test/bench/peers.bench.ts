import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Figure, median } from './figures.ts'
import { BEFORE, type Program, programs } from './peer-programs.ts'
import { type Asked, startResponsesServer } from './responses-server.ts'

const REPEATS = 3

interface Run {
  /** From the start of the program to its first request. */
  readonly coldStartMs: number
  /** From the last byte of the first answer to the next request. */
  readonly gapMs: number
  readonly peakMb: number
}

interface Row {
  readonly promise: string
  readonly asked: Asked
  readonly figure: keyof Run
  /** A program without such a tool is left out. */
  readonly without?: string
  /** Where issue and DESIGN set one: the highest ratio to the better peer. */
  readonly bar?: number
}

const ROWS: readonly Row[] = [
  { promise: 'cold start', asked: { kind: 'shell', what: 'true', deltas: 1 }, figure: 'coldStartMs' },
  { promise: 'first command', asked: { kind: 'shell', what: 'true', deltas: 1 }, figure: 'gapMs' },
  { promise: 'peak memory of one command, MB', asked: { kind: 'shell', what: 'true', deltas: 1 }, figure: 'peakMb' },
  { promise: 'answer of 20,000 deltas', asked: { kind: 'shell', what: 'true', deltas: 20_000 }, figure: 'gapMs', bar: 0.5 },
  {
    promise: 'command that prints one line of 10 MB',
    asked: { kind: 'shell', what: 'cat line.txt', deltas: 1 },
    figure: 'gapMs',
    bar: 0.9,
  },
  { promise: 'cat of 50 MB', asked: { kind: 'shell', what: 'cat lines.txt', deltas: 1 }, figure: 'gapMs', bar: 1 },
  {
    promise: 'read of a file of 50 MB',
    asked: { kind: 'read', what: 'lines.txt', deltas: 1 },
    figure: 'gapMs',
    without: 'Codex',
    bar: 0.9,
  },
]

/**
 * Measures single steps of the built agent as a user starts it, beside Codex and pi if `PEERS_DIR` names the folder where they are installed.
 * Without them, the rows still show over time when a step becomes slower.
 */
export async function benchPeers(): Promise<readonly Figure[]> {
  const base = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  try {
    const all = programs(process.env.PEERS_DIR)
    const figures: Figure[] = []
    for (const row of ROWS)
      figures.push(
        await measured(
          row,
          all.filter(({ name }) => name !== row.without),
          base,
        ),
      )
    return figures
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

async function measured({ promise, asked, figure, bar }: Row, all: readonly Program[], base: string): Promise<Figure> {
  const values = new Map(all.map(({ name }) => [name, [] as number[]]))
  // In turn, so that other load on the machine affects all of them. The first run of each is a warm-up.
  for (let run = 0; run <= REPEATS; run++) {
    for (const program of all) {
      const value = (await runOnce(program, asked, base))[figure]
      if (run > 0) values.get(program.name)?.push(value)
    }
  }
  const [ours = Number.NaN] = [...values.values()].map(median)
  const peers = [...values].slice(1).flatMap(([name, each]) => (name === BEFORE ? [] : [median(each)]))
  const shown = [...values].map(([name, each]) => `${name} ${median(each).toFixed(0)}`).join(', ')
  const ratio = peers.length === 0 ? '' : `: ${(ours / Math.min(...peers)).toFixed(2)} × the better peer`
  const wanted = bar === undefined || peers.length === 0 ? '' : ` (bar ${bar})`
  return { promise, value: `${shown}${ratio}${wanted}`, method: `median of ${REPEATS} runs in turn, in ms if nothing else is said` }
}

async function runOnce(program: Program, asked: Asked, base: string): Promise<Run> {
  const folder = join(base, 'project')
  const home = join(base, program.name)
  putProject(folder)
  mkdirSync(home, { recursive: true })
  const server = await startResponsesServer({ ...asked, what: asked.kind === 'read' ? join(folder, asked.what) : asked.what })
  try {
    const { command, env } = program.prepare(home, server.url)
    const startedAt = performance.now()
    const peakMb = await runToEnd(command, folder, { PATH: process.env.PATH ?? '', HOME: home, ...env })
    const [first, second] = server.exchanges
    if (!first || !second) throw new Error(`${program.name} made ${server.exchanges.length} requests instead of two.`)
    return { coldStartMs: first.requestAt - startedAt, gapMs: second.requestAt - first.answeredAt, peakMb }
  } finally {
    await server.close()
  }
}

function putProject(folder: string): void {
  if (mkdirSync(folder, { recursive: true }) === undefined) return
  writeFileSync(join(folder, 'line.txt'), 'abcdefghij'.repeat(1_000_000))
  writeFileSync(join(folder, 'lines.txt'), 'a line of a log that is as long as such lines often are in practice, or not\n'.repeat(660_000))
}

async function runToEnd(command: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<number> {
  const [file = '', ...args] = command
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-2000)))
  let peakMb = 0
  const watch = setInterval(() => (peakMb = Math.max(peakMb, peakOf(child.pid))), 20)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  clearInterval(watch)
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${output}`)
  return peakMb
}

/** The peak memory that the kernel has recorded, in MB. 0 where there is no /proc. */
function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
