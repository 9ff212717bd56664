import type { ExecOptions, ExecResult } from '../../agent/ports/execution-environment.ts'
import { EnvironmentFailure } from '../environment-failure.ts'
import { commandEnvironment, type EnvPolicyOptions } from '../env-policy.ts'
import { MARKER_VARIABLE } from './marker.ts'
import { OutputCollector } from './output-collector.ts'
import { startOnPipes } from './pipes.ts'
import type { OwnedProcess, ProcessTable } from './process-table.ts'
import { findShell } from './program.ts'
import type { PtyHost } from './pty-host.ts'
import { startInTerminal } from './start-in-terminal.ts'
import type { CommandStart, Exit, StartedCommand } from './started-command.ts'

/** P2-44. */
export const DEFAULT_TIMEOUT_MS = 10_000
/** After the end of the leader, output is waited for so long when its end does not show (DESIGN §5), ms. */
const DRAIN_MS = 250
/** After all of a command's processes were killed, the news of its exit is waited for so long, ms. */
const EXIT_NEWS_MS = 1_000
/** The longest that a timer can take, ms; what is longer has no limit. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export interface CommandParts {
  readonly table: ProcessTable
  readonly envPolicy: EnvPolicyOptions
  /** A shell other than bash. */
  readonly shell?: string | undefined
  /** Resolves with null where there are no ptys. */
  readonly ptyHost: () => Promise<PtyHost | null>
}

type Ending = { readonly kind: 'exit'; readonly exit: Exit } | { readonly kind: 'timeout' } | { readonly kind: 'abort' }

/**
 * Runs one command line in a fresh shell (P2-43). Ends with the leader's exit plus end-of-file, or 250 ms after the exit, or when the
 * time limit or the signal has ended every process of it. Rejects with a coded failure when it could not be started.
 */
export async function runCommand(parts: CommandParts, command: string, cwd: string, options: ExecOptions): Promise<ExecResult> {
  const timeoutMs = checked(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
  if (command.includes('\0')) throw new EnvironmentFailure('EINVAL', 'The command holds a NUL character.')
  if (options.signal?.aborted) return notStarted()
  const begin = performance.now()
  const run = await start(parts, command, cwd, options)
  const ending = await firstOf(run.started, timeoutMs, options.signal)
  const exit = ending.kind === 'exit' ? ending.exit : await endByForce(parts.table, run)
  run.started.flush()
  const isDrained = await within(run.started.drained, DRAIN_MS)
  run.started.close()
  const { stdout, stderr, bytes } = await run.output.end()
  const left = ending.kind === 'exit' ? await parts.table.release(run.owned, !isDrained) : []
  run.onEnd(exit.exitCode)
  const note = ending.kind === 'timeout' ? timeoutNote(timeoutMs) : ''
  return {
    stdout: run.inTerminal ? withNote(stdout.text, note) : stdout.text,
    stderr: run.inTerminal ? stderr.text : withNote(stderr.text, note),
    ...exit,
    timedOut: ending.kind === 'timeout',
    aborted: ending.kind === 'abort',
    durationMs: Math.round(performance.now() - begin),
    bytes,
    complete: stdout.omitted === 0 && stderr.omitted === 0,
    ...(left.length > 0 && { leftRunning: left }),
  }
}

interface Run {
  readonly started: StartedCommand
  readonly owned: OwnedProcess
  readonly output: OutputCollector
  readonly inTerminal: boolean
  /** Tells the watchers of the terminal. */
  readonly onEnd: (exitCode: number | null) => void
}

async function start(parts: CommandParts, command: string, cwd: string, options: ExecOptions): Promise<Run> {
  const marker = parts.table.nextMarker()
  const ptyHost = options.terminal ? await parts.ptyHost() : null
  const policy = { ...parts.envPolicy, terminal: ptyHost !== null }
  const env: Record<string, string> = { ...commandEnvironment(process.env, policy, options.envVars), [MARKER_VARIABLE]: marker }
  const shell = findShell(parts.shell, env['PATH'])
  const own = (pid: number): OwnedProcess => {
    options.onStart?.(pid)
    return parts.table.add({ pid, marker, command, cwd })
  }
  const what = { file: shell.file, args: shell.argumentsFor(command), cwd, env }
  if (ptyHost && options.terminal) return startInTerminal(ptyHost, what, options, options.terminal, own)
  return startPlain(what, options, own)
}

async function startPlain(what: Omit<CommandStart, 'onBytes'>, options: ExecOptions, own: (pid: number) => OwnedProcess): Promise<Run> {
  let started: StartedCommand | null = null
  const output = new OutputCollector(options, (isFull) => (isFull ? started?.pause() : started?.resume()))
  started = await startOnPipes({ ...what, onBytes: (stream, bytes) => void output.take(stream, bytes) })
  return { started, owned: own(started.pid), output, inTerminal: false, onEnd: () => {} }
}

/** What comes first: the exit, the time limit, the abort. */
async function firstOf(started: StartedCommand, timeoutMs: number, signal: AbortSignal | undefined): Promise<Ending> {
  const { promise, resolve } = Promise.withResolvers<Ending>()
  const timer = timeoutMs > LONGEST_TIMER_MS ? undefined : setTimeout(() => resolve({ kind: 'timeout' }), timeoutMs)
  const onAbort = (): void => resolve({ kind: 'abort' })
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()
  void started.exit.then((exit) => resolve({ kind: 'exit', exit }))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

async function endByForce(table: ProcessTable, { started, owned }: Run): Promise<Exit> {
  await table.end(owned)
  const unknown: Exit = { exitCode: null, signal: 'SIGKILL' }
  return (await within(started.exit, EXIT_NEWS_MS)) ? started.exit : unknown
}

/** Whether it came in time. */
async function within(coming: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), ms)
  void coming.then(() => resolve(true))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}

function checked(timeoutMs: number): number {
  if (timeoutMs > 0) return timeoutMs
  throw new EnvironmentFailure('EINVAL', `The time limit must be a number of milliseconds above 0, not ${timeoutMs}.`)
}

function notStarted(): ExecResult {
  const nothing = { stdout: '', stderr: '', exitCode: null, signal: null, bytes: 0, complete: true, durationMs: 0 }
  return { ...nothing, timedOut: false, aborted: true }
}

/** S-31, P2-45: stands below the partial output. */
function timeoutNote(timeoutMs: number): string {
  return `[ERROR: Command timed out after ${timeoutMs} ms. Partial output is shown above. Retry with a larger timeout_ms if it needs longer.]`
}

function withNote(text: string, note: string): string {
  return note === '' ? text : `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${note}`
}
