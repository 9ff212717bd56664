import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Exchange, type ScriptedCall, startToolRoundServer } from './tool-round-server.ts'

const ENTRY = join(import.meta.dirname, '../../dist/main/run.js')

export interface AgentRun {
  /** Time from spawn to the first byte of the first request, in ms. */
  readonly coldStartMs: number
  /** Times from the last byte of an answer to the first byte of the next request, in ms, in order. */
  readonly gapsMs: readonly number[]
  /** Highest resident memory of the process, in MB. Null if the machine has no /proc. */
  readonly peakMb: number | null
  readonly lastBodyBytes: number
}

const CALLS = {
  read: { name: 'read_file', input: (round) => ({ file_path: 'notes.txt', limit: 3 + round }) },
  shell: { name: 'shell', input: (round) => ({ command: `true # ${round}` }) },
  'copied shell': { name: 'shell', input: (round) => ({ command: `true # ${round}` }) },
  'shell beside': { name: 'shell', input: (round) => ({ command: `true # ${round}` }) },
} as const satisfies Readonly<Record<string, ScriptedCall>>

/** How commands run. Default: for real. */
const WAYS = { 'copied shell': ['--sandbox', 'require'], 'shell beside': ['--beside'] } as const satisfies Partial<
  Readonly<Record<keyof typeof CALLS, readonly string[]>>
>

/**
 * Runs the built headless entry once, with the current Node, in a new folder with a new data folder. `muteServers`: the number of MCP
 * servers that are programs and never answer. Throws if the run fails.
 */
export async function runAgent(kind: keyof typeof CALLS, rounds: number, muteServers = 0): Promise<AgentRun> {
  const base = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const folder = join(base, 'project')
  mkdirSync(folder)
  writeFileSync(join(folder, 'notes.txt'), 'one\ntwo\nthree\n')
  if (muteServers > 0) putServers(join(base, 'data'), muteServers)
  const server = await startToolRoundServer(rounds, CALLS[kind])
  try {
    const { startedAt, peakMb } = await runToEnd(folder, server.url, WAYS[kind as keyof typeof WAYS] ?? ['--sandbox', 'off'])
    const { exchanges } = server
    if (exchanges.length !== rounds + 1) throw new Error(`The agent made ${exchanges.length} requests instead of ${rounds + 1}.`)
    return {
      coldStartMs: (exchanges[0]?.requestAt ?? Number.NaN) - startedAt,
      gapsMs: gaps(exchanges),
      peakMb,
      lastBodyBytes: exchanges.at(-1)?.bodyBytes ?? 0,
    }
  } finally {
    await server.close()
    rmSync(base, { recursive: true, force: true })
  }
}

function putServers(data: string, count: number): void {
  const mute = { command: process.execPath, args: [join(import.meta.dirname, '../fixtures/mcp/hostile-server.mjs'), 'mute'] }
  mkdirSync(data)
  const mcpServers = Object.fromEntries(Array.from({ length: count }, (_, at) => [`mute-${at}`, mute]))
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers }))
}

async function runToEnd(
  folder: string,
  url: string,
  way: readonly string[],
): Promise<{ readonly startedAt: number; readonly peakMb: number | null }> {
  const args = [
    '--cwd',
    folder,
    '--data',
    join(folder, '../data'),
    '--provider',
    'anthropic',
    '--model',
    'bench',
    '--base-url',
    url,
    '--approve',
    'all',
    ...way,
    '--json',
    'go',
  ]
  const startedAt = performance.now()
  const child = spawn(process.execPath, [ENTRY, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ANTHROPIC_API_KEY: 'bench-not-a-key' },
  })
  let errors = ''
  child.stdout.resume()
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  let peakMb: number | null = null
  const watch = setInterval(() => (peakMb = peakOf(child.pid) ?? peakMb), 20)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  clearInterval(watch)
  if (code !== 0) throw new Error(`The agent ended with ${code}: ${errors.slice(0, 2000)}`)
  return { startedAt, peakMb }
}

/** Returns the peak memory that the kernel itself has recorded, so that sampling can miss only a peak in the last 20 ms. */
function peakOf(pid: number | undefined): number | null {
  try {
    const kb = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kb === undefined ? null : Number(kb) / 1024
  } catch {
    return null
  }
}

function gaps(exchanges: readonly Exchange[]): readonly number[] {
  return exchanges.slice(1).map((exchange, index) => exchange.requestAt - (exchanges[index]?.answeredAt ?? Number.NaN))
}

/** Measures the start of bare Node for comparison: the time from spawn to exit of an empty script, in ms. */
export async function bareNodeMs(): Promise<number> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' })
  await new Promise((resolve) => child.on('close', resolve))
  return performance.now() - startedAt
}
