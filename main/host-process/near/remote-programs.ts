import type { Confinement, ExecutionEnvironment, LastingShell, ShellOptions } from '../../agent/ports/execution-environment.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import type { Calls } from './calls.ts'
import { collectBytes } from './collect-bytes.ts'
import { hearCommand } from './hear-command.ts'
import { openRemotePipes } from './open-remote-program.ts'
import { redacted } from './redacted-streams.ts'
import type { RemoteParts } from './remote-parts.ts'

/** As many bytes of a program's output as the far side keeps by default. */
const DEFAULT_MAX_BYTES = 64 * 1024 ** 2

type Programs = Pick<ExecutionEnvironment, 'execCommand' | 'open' | 'openShell' | 'spawn'>

/** Commands, shells and programs of the far side. */
export function remotePrograms(calls: Pick<Calls, 'call'>, parts: RemoteParts): Programs {
  const { line, confinements } = parts
  return {
    async execCommand(command, { confinement, terminal, signal, timeoutMs, pausesForInput, workingDir, envVars, ...listeners } = {}) {
      const size = terminal && { columns: terminal.columns, rows: terminal.rows }
      const heard = hearCommand(line, listeners, terminal && size ? { size, onOpen: terminal.onOpen } : null)
      const confined = idOf(confinement, confinements)
      const options = { timeoutMs, pausesForInput, workingDir, envVars, confined, terminal: size }
      const args = { command, wants: [...heard.wants], options }
      const result = await calls.call('execCommand', args, { ...heard, signal, answersAbort: true })
      heard.end()
      return redacted(result, line.redactor)
    },
    openShell: (options = {}) => openRemoteShell(calls, parts, options),
    async spawn(argv, { confinement, signal, input, workingDir, env, timeoutMs, maxBytes, onlyReads = false } = {}) {
      const collected = collectBytes(maxBytes ?? DEFAULT_MAX_BYTES)
      const options = { workingDir, env, timeoutMs, maxBytes, confined: idOf(confinement, confinements) }
      const args = { argv: [...argv] as [string, ...string[]], hasInput: input !== undefined, options }
      const ended = await calls.call('spawn', args, { signal, onlyReads, bytes: input ? [input] : [], onPiece: collected.take })
      return { ...ended, stdout: collected.all() }
    },
    async open(argv, { confinement, signal, workingDir, envVars } = {}) {
      const options = { workingDir, envVars, confined: idOf(confinement, confinements) }
      const args = { argv: [...argv] as [string, ...string[]], options }
      return openRemotePipes(line.channel, (pipes) => calls.call('open', args, pipes), signal)
    },
  }
}

/** The id of a confinement on this far side. Throws for one of another machine or of an earlier connection, which cannot be applied. */
function idOf(confinement: Confinement | undefined, confinements: RemoteParts['confinements']): number | undefined {
  const id = confinement && confinements.get(confinement)
  if (confinement && id === undefined)
    throw new EnvironmentFailure(
      'ENOTSUP',
      'The program cannot be confined in this way on the other machine (ENOTSUP). Nothing was started.',
    )
  return id
}

async function openRemoteShell(
  calls: Pick<Calls, 'call'>,
  { line, shells, confinements }: RemoteParts,
  { confinement, workingDir, envVars, terminal }: ShellOptions,
): Promise<LastingShell> {
  const confined = idOf(confinement, confinements)
  const ended = Promise.withResolvers<void>()
  let shell = 0
  let isAlive = true
  let size = terminal
  const end = (): void => {
    isAlive = false
    shells.delete(shell)
    ended.resolve()
  }
  const onId = (id: number): void => {
    shell = id
    shells.set(id, end)
  }
  const opened = calls.call('openShell', { options: { workingDir, envVars, confined, terminal } }, { onId })
  let { cwd } = await opened.catch((error: unknown) => {
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
    ended: ended.promise,
    async close() {
      await calls.call('closeShell', { shell })
      end()
    },
  }
}
