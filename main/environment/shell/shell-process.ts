import type { ShellOptions } from '../../agent/ports/execution-environment.ts'
import { commandEnvironment } from '../env-policy.ts'
import { EnvironmentFailure } from '../environment-failure.ts'
import { launchEnvironment } from '../launch-environment.ts'
import { launchVariables } from '../shell-variables/complete-from-shell.ts'
import type { EmulatorSize } from '../output/terminal-emulator.ts'
import { within } from '../../agent/abortable.ts'
import { MARKER_VARIABLE } from '../process/process-marker.ts'
import { startOnPipes } from '../process/start-on-pipes.ts'
import type { OwnedProcess } from '../process/process-table.ts'
import { findShell } from '../process/find-program.ts'
import type { PtyCommand, CommandStart, StartedCommand } from '../process/started-command.ts'
import { type CommandParts, confined } from '../process/run-command.ts'
import { type ControlPipes, openControlPipes } from './control-pipes.ts'
import { shellLoop } from './shell-loop.ts'

/** How long to wait for bash to start, in ms. It starts within milliseconds, and this is enough for a machine under load. */
const READY_MS = 20_000

export interface ShellProcess {
  readonly started: StartedCommand
  /** Null on pipes. */
  readonly pty: PtyCommand | null
  readonly owned: OwnedProcess
  readonly control: ControlPipes
}

/** Starts the bash of a persistent shell and waits until it accepts commands. */
export async function startShellProcess(
  parts: CommandParts,
  cwd: string,
  terminal: EmulatorSize | null,
  onBytes: CommandStart['onBytes'],
  { confinement, envVars }: Pick<ShellOptions, 'confinement' | 'envVars'>,
): Promise<ShellProcess> {
  if (process.platform === 'win32') {
    throw new EnvironmentFailure('ENOSHELL', 'A persistent shell needs bash and named pipes, which Windows does not have.')
  }
  await launchVariables()
  const ptyHost = terminal && (await parts.ptyHost())
  const policy = { ...parts.envPolicy, terminal: ptyHost !== null }
  const variables = commandEnvironment(launchEnvironment(), policy, envVars)
  const { file } = findShell(parts.shell, variables['PATH'])
  const control = await openControlPipes()
  const coming = parts.table.begin('bash, a lasting shell', cwd)
  const env: Record<string, string> = { ...variables, [MARKER_VARIABLE]: coming.marker }
  let owned: OwnedProcess | null = null
  try {
    const args = ['--noprofile', '--norc', '-c', shellLoop(ptyHost !== null), 'bash', ...control.paths]
    const ready = Promise.withResolvers<string>()
    control.onMessage(ready.resolve)
    const plain = { file, args, cwd, env }
    const start = confinement ? confined(confinement, { ...plain, inTerminal: ptyHost !== null, pipes: control.paths }) : plain
    const what = { ...start, onBytes }
    const pty = ptyHost && terminal ? await ptyHost.open({ ...what, ...terminal }) : null
    const started = pty ?? (await startOnPipes(what))
    owned = coming.began(started.pid, started.outputs)
    const isReady = Promise.race([ready.promise.then(() => true), started.exit.then(() => false)])
    if (!(await within(isReady, READY_MS)) || !(await isReady)) {
      await parts.table.end(owned)
      throw new EnvironmentFailure('ENOSHELL', `${file} did not become ready for commands. The shell must be bash.`)
    }
    // The shell starts with the message that it sends after every command, so it waits for an end marker. There was no output, so the
    // marker is empty.
    control.send('')
    await control.forgetNames()
    return { started, pty, owned, control }
  } catch (error) {
    if (owned === null) coming.failed()
    await control.close()
    throw error
  }
}
