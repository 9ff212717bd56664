import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import type { OpenOptions } from '../../agent/ports/execution-environment.ts'
import type { OpenedProgram, ProgramExit } from '../../agent/ports/opened-program.ts'
import { commandEnvironment } from '../env-policy.ts'
import { launchEnvironment } from '../launch-environment.ts'
import { launchVariables } from '../shell-variables/complete-from-shell.ts'
import { outputsOf } from './find-processes.ts'
import { MARKER_VARIABLE } from './process-marker.ts'
import { type CommandParts, endByForce, killCopy } from './run-command.ts'
import { foundProgram } from './spawn-program.ts'
import { attempted, startFailure } from './start-failure.ts'

/** Starts a program with pipes to its standard streams. See `ExecutionEnvironment.open`. */
export async function openProgram(
  { table, envPolicy, isConfined = false }: Pick<CommandParts, 'table' | 'envPolicy' | 'isConfined'>,
  argv: readonly [string, ...string[]],
  cwd: string,
  { envVars, signal, confinement }: OpenOptions,
): Promise<OpenedProgram> {
  signal?.throwIfAborted()
  await launchVariables()
  signal?.throwIfAborted()
  const [name, ...args] = argv
  const found = foundProgram(name, commandEnvironment(launchEnvironment(), envPolicy, envVars), isConfined || confinement !== undefined)
  const coming = table.begin(argv.join(' '), cwd)
  const plain = { file: found.file, args, cwd, env: { ...found.env, [MARKER_VARIABLE]: coming.marker }, inTerminal: false }
  const what = confinement?.wrap(plain) ?? plain
  const detached = process.platform !== 'win32'
  const started = attempted(() =>
    spawn(what.file, what.args, { cwd: what.cwd, env: what.env, detached, windowsHide: true, stdio: ['pipe', 'pipe', 'pipe'] }),
  )
  if (!started.ok) {
    coming.failed()
    throw await startFailure(started.failure, found.file, cwd)
  }
  const child = started.value
  const exit = Promise.withResolvers<ProgramExit>()
  child.once('exit', (exitCode, by) => exit.resolve({ exitCode, signal: by }))
  // What is written to a program that has ended is dropped.
  child.stdin.on('error', () => {})
  const stdout = kept(child.stdout)
  const stderr = kept(child.stderr)
  try {
    await once(child, 'spawn')
  } catch (error) {
    coming.failed()
    throw await startFailure(error, found.file, cwd)
  }
  const { pid = 0 } = child
  const owned = coming.began(pid, outputsOf(pid))
  let killing: Promise<void> | null = null
  const killed = async (): Promise<void> => {
    // When the first confined process ends, the kernel ends all others.
    if (confinement) killCopy(owned)
    exit.resolve(await endByForce(table, { started: { exit: exit.promise }, owned }))
  }
  const kill = async (): Promise<void> => {
    killing ??= killed()
    await killing
  }
  const onAbort = (): void => void kill()
  const ended = exit.promise.then(async (how) => {
    if (killing === null) await table.release(owned, false)
    else await killing
    return how
  })
  signal?.addEventListener('abort', onAbort, { once: true })
  // Until its outputs are closed, something that the program started may still run.
  child.once('close', () => signal?.removeEventListener('abort', onAbort))
  if (signal?.aborted) {
    await kill()
    throw signal.reason
  }
  return { stdin: child.stdin, stdout, stderr, ended, kill }
}

/** Keeps unread output, which Node discards when a program ends. If the result is destroyed, the program can still print. */
function kept(output: Readable): Readable {
  const all = output.pipe(new PassThrough())
  // Added after the listener of `pipe`, which pauses the output.
  all.once('close', () => output.resume())
  output.on('error', () => all.end())
  return all
}
