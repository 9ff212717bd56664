import type { Confinement, ExecutionEnvironment, LastingShell, ShellOptions } from '../../agent/ports/execution-environment.ts'
import type { Redactor } from '../../agent/ports/redactor.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import type { Calls } from './calls.ts'
import { collectBytes } from './collect-bytes.ts'
import { type CommandLine, hearCommand } from './hear-command.ts'
import { openRemoteProgram } from './open-remote-program.ts'

/** As many bytes of a program's output as the far side keeps by default. */
const DEFAULT_MAX_BYTES = 64 * 1024 ** 2

/** The shells that are open on the far side, by the id of the call that opened them. */
export interface RemoteShells {
  /** Call this when the far side says that the shell's process has ended. */
  ended(id: number): void
  /** Call this when the connection is lost: no shell lives any longer. */
  lose(): void
}

type Programs = Pick<ExecutionEnvironment, 'execCommand' | 'open' | 'openShell' | 'spawn'>

/** Commands, shells and programs of the far side. */
export function remotePrograms(calls: Calls, line: CommandLine): { readonly programs: Programs; readonly shells: RemoteShells } {
  const shells = new Map<number, () => void>()
  return {
    programs: {
      async execCommand(command, { confinement, terminal, signal, timeoutMs, pausesForInput, workingDir, envVars, ...listeners } = {}) {
        mustBeFree(confinement)
        const size = terminal && { columns: terminal.columns, rows: terminal.rows }
        const heard = hearCommand(line, listeners, terminal && size ? { size, onOpen: terminal.onOpen } : null)
        const options = { timeoutMs, pausesForInput, workingDir, envVars, terminal: size }
        const args = { command, wants: [...heard.wants], options }
        const result = await calls.call('execCommand', args, { ...heard, signal, answersAbort: true })
        heard.end()
        return redacted(result, line.redactor)
      },
      openShell: (options = {}) => openRemoteShell(calls, line, shells, options),
      async spawn(argv, { confinement, signal, input, workingDir, env, timeoutMs, maxBytes } = {}) {
        mustBeFree(confinement)
        const collected = collectBytes(maxBytes ?? DEFAULT_MAX_BYTES)
        const options = { workingDir, env, timeoutMs, maxBytes }
        const args = { argv: [...argv] as [string, ...string[]], hasInput: input !== undefined, options }
        const ended = await calls.call('spawn', args, { signal, bytes: input ? [input] : [], onPiece: collected.take })
        return { ...ended, stdout: collected.all() }
      },
      async open(argv, { confinement, ...options } = {}) {
        mustBeFree(confinement)
        return openRemoteProgram(calls, line.channel, argv, options)
      },
    },
    shells: {
      ended: (id) => shells.get(id)?.(),
      lose() {
        for (const end of shells.values()) end()
      },
    },
  }
}

function redacted<R extends { readonly stdout: string; readonly stderr: string }>(result: R, redactor: Redactor | null): R {
  return redactor ? { ...result, stdout: redactor.text(result.stdout), stderr: redactor.text(result.stderr) } : result
}

/** A confinement is a function of this process, so it cannot be applied on the far side. Without it the program would have more rights. */
function mustBeFree(confinement: Confinement | undefined): void {
  if (!confinement) return
  throw new EnvironmentFailure('ENOTSUP', 'A host process cannot confine a single program yet (ENOTSUP). Nothing was started.')
}

async function openRemoteShell(
  calls: Calls,
  line: CommandLine,
  shells: Map<number, () => void>,
  { confinement, workingDir, envVars, terminal }: ShellOptions,
): Promise<LastingShell> {
  mustBeFree(confinement)
  let shell = 0
  let isAlive = true
  let size = terminal
  const end = (): void => {
    isAlive = false
    shells.delete(shell)
  }
  const onId = (id: number): void => {
    shell = id
    shells.set(id, end)
  }
  let { cwd } = await calls.call('openShell', { options: { workingDir, envVars, terminal } }, { onId }).catch((error: unknown) => {
    end()
    throw error
  })
  return {
    async run(command, { signal, onTerminal, timeoutMs, pausesForInput, ...listeners } = {}) {
      const wish = size && onTerminal ? { size, onOpen: onTerminal, onResize: (now: typeof size) => (size = now) } : null
      const heard = hearCommand(line, listeners, wish)
      const args = { shell, command, wants: [...heard.wants], options: { timeoutMs, pausesForInput } }
      const { cwd: now, ...result } = await calls.call('runInShell', args, { ...heard, signal, answersAbort: true })
      cwd = now
      if (result.shellEnded) end()
      heard.end()
      return redacted(result, line.redactor)
    },
    workingDirectory: () => cwd,
    isAlive: () => isAlive,
    async close() {
      await calls.call('closeShell', { shell })
      end()
    },
  }
}
