import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { AnyEnvelope, DurableEvent } from '../../../shared/session/events.ts'
import { builtShells } from '../../support/built-shell.ts'

export const ROOT = join(import.meta.dirname, '../../..')

export interface AgentOutcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** The events on the standard output of the headless shell, both stored and live ones. */
  readonly events: readonly AnyEnvelope['event'][]
}

export interface AgentOptions {
  readonly cwd: string
  readonly data: string
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Returns the arguments that start the headless shell: from the build of this test run, or from source if one test file is run directly.
 */
export function headlessShell(): readonly string[] {
  const built = builtShells()
  return built === null ? fromSource() : [built.headless]
}

/** Returns the arguments with which `npm run -s agent` starts the headless shell. */
function fromSource(): readonly string[] {
  return ['--import', join(ROOT, 'main/preflight.mjs'), join(ROOT, 'main/run.ts')]
}

/** Returns the Node arguments for one run. `named`: whether the folder is passed with --cwd. */
export function agentArgs(args: readonly string[], { cwd, data }: AgentOptions, named = true): readonly string[] {
  return [...headlessShell(), ...(named ? ['--cwd', cwd] : []), '--data', data, ...args]
}

/** Starts the headless shell without a terminal. */
export function startAgent(
  args: readonly string[],
  options: AgentOptions,
  { cwd = ROOT, named = true }: { readonly cwd?: string; readonly named?: boolean } = {},
): { readonly child: ChildProcess; readonly outcome: Promise<AgentOutcome> } {
  const env = { ...cleanEnv(), ...options.env }
  const child = spawn(process.execPath, agentArgs(args, options, named), { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, outcome: outcomeOf(child) }
}

/** Runs the headless shell until it exits. `named`: whether the folder is passed with --cwd. */
export function runAgent(args: readonly string[], options: AgentOptions, named = true): Promise<AgentOutcome> {
  return startAgent(args, options, { named }).outcome
}

async function outcomeOf(child: ChildProcess): Promise<AgentOutcome> {
  let stdout = ''
  let stderr = ''
  // A chunk may end within a character.
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr, events: eventsIn(stdout) }
}

/** The last line of a killed process may be incomplete. */
function eventsIn(stdout: string): readonly AnyEnvelope['event'][] {
  const complete = stdout.slice(0, stdout.lastIndexOf('\n') + 1)
  return complete.split('\n').flatMap((line) => (line.startsWith('{') ? [(JSON.parse(line) as AnyEnvelope).event] : []))
}

export function ofKind<K extends DurableEvent['kind']>(outcome: AgentOutcome, kind: K): readonly Extract<DurableEvent, { kind: K }>[] {
  return outcome.events.filter((event): event is Extract<DurableEvent, { kind: K }> => event.kind === kind)
}

/** Returns an environment without the keys and settings of whoever runs the tests. */
export function cleanEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/_API_KEY$|_BASE_URL$|^COUNTERSIGN_|^npm_|^INIT_CWD$/.test(name)),
  )
}
