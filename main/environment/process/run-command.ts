import type { Confinement, ExecOptions, ExecResult, ProgramStart } from '../../agent/ports/execution-environment.ts'
import type { Redactor } from '../../agent/ports/redactor.ts'
import { within } from '../../agent/abortable.ts'
import { commandEnvironment, type EnvPolicyOptions, pathIn } from '../env-policy.ts'
import { launchEnvironment } from '../launch-environment.ts'
import { launchVariables } from '../shell-variables/complete-from-shell.ts'
import { checkedCommand, execResult, firstOf, NOT_STARTED } from './command-result.ts'
import { MARKER_VARIABLE } from './process-marker.ts'
import { createPipedOutput, type OutputCollector, type WithRedactor } from './output-collector.ts'
import { startOnPipes } from './start-on-pipes.ts'
import { createPauses, followHold } from './output-hold.ts'
import type { ComingProcess, OwnedProcess, ProcessTable } from './process-table.ts'
import { findShell } from './find-program.ts'
import type { PtyHost, CommandStart, Exit, StartedCommand } from './started-command.ts'
import { startInTerminal } from './command-terminal.ts'
import { createTimeLimit, type RunningLimits, type TimeLimit } from './time-limit.ts'

/** After the leader's exit, how long to wait for the end of its output, in ms. */
export const DRAIN_MS = 250
/** After all processes of a command were killed, how long to wait for its exit event, in ms. */
const EXIT_NEWS_MS = 1_000

export interface CommandParts {
  readonly table: ProcessTable
  readonly envPolicy: EnvPolicyOptions
  /** The shell to use instead of bash. */
  readonly shell?: string | undefined
  /** Whether this process runs in a sandbox. */
  readonly isConfined?: boolean
  /** Applied to all output before it is used. */
  readonly redactor: Redactor
  /** Resolves with null if there are no ptys. */
  readonly ptyHost: () => Promise<PtyHost | null>
  /** Changes how the shell is started, for example to run it inside a copy. */
  readonly wrap?: (what: ShellStart) => ShellStart
  /** Called with the time limit of the command, so that it can be paused. */
  readonly onLimit?: (limit: Pick<TimeLimit, 'hold'>) => void
  /** If left out, the time limits of commands are independent of each other. */
  readonly limits?: RunningLimits
}

type ShellStart = Omit<CommandStart, 'onBytes'>

/**
 * Runs one command line in a new shell. Resolves in one of three cases: the leader has exited and its output has ended, 250 ms have passed
 * since the leader's exit, or the time limit or the signal has ended all processes. Rejects with a coded failure if the command could not
 * be started.
 */
export async function runCommand(parts: CommandParts, command: string, cwd: string, options: ExecOptions): Promise<ExecResult> {
  const timeoutMs = checkedCommand(command, options.timeoutMs)
  if (options.signal?.aborted) return NOT_STARTED
  const begin = performance.now()
  const own = createTimeLimit(timeoutMs, options)
  const limit = parts.limits?.add(own) ?? own
  parts.onLimit?.(limit)
  const run = await start(parts, command, cwd, { ...options, ...held(limit, options) }).catch((error: unknown) => {
    limit.stop()
    throw error
  })
  const ending = await firstOf(run.started.exit, limit, options.signal)
  const waited = limit.waitsForInput
  if (ending.kind !== 'end' && (parts.wrap || options.confinement)) killCopy(run.owned)
  const exit = ending.kind === 'end' ? ending.end : await endByForce(parts.table, run)
  run.started.flush()
  const isDrained = await within(run.started.drained, DRAIN_MS)
  await run.started.close()
  const collected = await run.output.end()
  const left = ending.kind === 'end' ? await parts.table.release(run.owned, !isDrained) : []
  run.onEnd(exit.exitCode)
  return execResult({ ...run, ending: ending.kind, timeoutMs, exit, collected, left, durationMs: performance.now() - begin, waited })
}

/** When a copy's first process ends, the kernel ends all others. Searching for the others first would give a fork bomb time to grow. */
export function killCopy({ pid }: OwnedProcess): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has just ended.
  }
}

/** Pauses the time limit while the command waits for input, and informs the listener. */
export function held(limit: TimeLimit, { onWaiting }: Pick<ExecOptions, 'onWaiting'>): Pick<ExecOptions, 'onWaiting'> {
  if (!onWaiting) return {}
  return {
    onWaiting(waits) {
      limit.hold(waits)
      onWaiting(waits)
    },
  }
}

interface Run {
  readonly started: StartedCommand
  readonly owned: OwnedProcess
  readonly output: Pick<OutputCollector, 'end'>
  readonly inTerminal: boolean
  /** Called when the command ends, for the viewers of the terminal. */
  readonly onEnd: (exitCode: number | null) => void
}

async function start(parts: CommandParts, command: string, cwd: string, options: ExecOptions): Promise<Run> {
  const coming = parts.table.begin(command, cwd)
  try {
    return await startNoted(parts, command, cwd, options, coming)
  } catch (error) {
    coming.failed()
    throw error
  }
}

async function startNoted(parts: CommandParts, command: string, cwd: string, options: ExecOptions, coming: ComingProcess): Promise<Run> {
  const { marker } = coming
  await launchVariables()
  const ptyHost = options.terminal ? await parts.ptyHost() : null
  const policy = { ...parts.envPolicy, terminal: ptyHost !== null }
  const env: Record<string, string> = { ...commandEnvironment(launchEnvironment(), policy, options.envVars), [MARKER_VARIABLE]: marker }
  const shell = findShell(parts.shell, pathIn(env))
  const own = (pid: number, outputs?: readonly string[]): OwnedProcess => {
    options.onStart?.(pid)
    return coming.began(pid, outputs)
  }
  const plain: ShellStart = { file: shell.file, args: shell.argumentsFor(command), verbatim: shell.verbatim, cwd, env }
  const what = startOf(parts, plain, options.confinement, ptyHost !== null)
  if (ptyHost && options.terminal) return startInTerminal(ptyHost, what, { ...options, redactor: parts.redactor }, options.terminal, own)
  return startPlain(what, { ...options, redactor: parts.redactor }, own)
}

function startOf({ wrap }: CommandParts, plain: ShellStart, confinement: ExecOptions['confinement'], inTerminal: boolean): ShellStart {
  if (wrap) return wrap(plain)
  return confinement ? confined(confinement, { ...plain, inTerminal }) : plain
}

export function confined({ wrap }: Confinement, start: ProgramStart): ShellStart {
  const { args, ...what } = wrap(start)
  return { ...what, args: [...args] }
}

type Own = (pid: number, outputs?: readonly string[]) => OwnedProcess

async function startPlain(what: ShellStart, options: ExecOptions & WithRedactor, own: Own): Promise<Run> {
  let started: StartedCommand | null = null
  const pauses = createPauses(
    () => started?.pause(),
    () => started?.resume(),
  )
  const output = createPipedOutput(options, (isFull) => pauses('backlog', isFull))
  started = await startOnPipes({ ...what, onBytes: output.takeBytes })
  followHold(options.hold, pauses)
  return { started, owned: own(started.pid, started.outputs), output, inTerminal: false, onEnd: () => {} }
}

/** Ends all processes of the command. */
export async function endByForce(
  table: ProcessTable,
  { started, owned }: { readonly started: Pick<StartedCommand, 'exit'>; readonly owned: OwnedProcess },
): Promise<Exit> {
  await table.end(owned)
  const unknown: Exit = { exitCode: null, signal: 'SIGKILL' }
  return (await within(started.exit, EXIT_NEWS_MS)) ? started.exit : unknown
}
