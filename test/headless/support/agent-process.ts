import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { AnyEnvelope, DurableEvent } from '../../../shared/session/events.ts'

const ROOT = join(import.meta.dirname, '../../..')

export interface AgentOutcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** The events of its standard output, stored and live. */
  readonly events: readonly AnyEnvelope['event'][]
}

export interface AgentOptions {
  readonly cwd: string
  readonly data: string
  readonly env?: Readonly<Record<string, string>>
}

/** The headless shell from source, as `npm run -s agent` starts it; it has no terminal. */
export async function runAgent(args: readonly string[], { cwd, data, env = {} }: AgentOptions): Promise<AgentOutcome> {
  const entry = ['--import', './main/preflight.mjs', 'main/run.ts', '--cwd', cwd, '--data', data, ...args]
  const child = spawn(process.execPath, entry, { cwd: ROOT, env: { ...cleanEnv(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr, events: eventsIn(stdout) }
}

function eventsIn(stdout: string): readonly AnyEnvelope['event'][] {
  return stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [(JSON.parse(line) as AnyEnvelope).event] : []))
}

export function ofKind<K extends DurableEvent['kind']>(outcome: AgentOutcome, kind: K): readonly Extract<DurableEvent, { kind: K }>[] {
  return outcome.events.filter((event): event is Extract<DurableEvent, { kind: K }> => event.kind === kind)
}

/** No keys and no settings of whoever runs the tests. */
function cleanEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/_API_KEY$|_BASE_URL$|^COUNTERSIGN_|^npm_|^INIT_CWD$/.test(name)),
  )
}

/** Real path of a new folder that goes with the test. */
export async function temporaryFolder(name: string): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), `countersign-${name}-`)))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}
