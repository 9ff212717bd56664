import { NO_TIME_LIMIT_MS } from '../../../shared/session/effects.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { bashOutputSpec } from '../../../shared/tools/built-in/background-commands.ts'
import { commandDetails, runsCommand } from '../../../shared/tools/catalogue.ts'
import { detailsOf } from '../../../shared/tools/spec/tool-spec.ts'
import { duration } from '../format.ts'

/** How long a command may run, in ms. Null if there is no limit or the call runs no command. */
export function timeLimitOf({ effects }: Pick<CallItem, 'effects'>): number | null {
  const limit = effects.find((effect) => effect.kind === 'command')?.timeoutMs ?? null
  return limit !== null && limit >= NO_TIME_LIMIT_MS ? null : limit
}

/** The name of a command that continues after its call, such as `bg_1`. Null if the command ended with the call. */
export const backgroundOf = (call: CallItem): string | null => commandDetails(call)?.background ?? null

/** Maximum number of characters of a command on the line of its step. */
const ON_A_LINE = 90

/** A command that does not fit on the line of its step. Null if it fits or the call runs no command. */
export function longCommand(call: CallItem): string | null {
  const written = call.args?.['command']
  if (!runsCommand(call) || typeof written !== 'string') return null
  const command = written.trim()
  return command.includes('\n') || command.length > ON_A_LINE ? command : null
}

/** How a command ended. Null while it runs. */
export function commandOutcome(call: CallItem): string | null {
  const details = commandDetails(call)
  if (!details) return null
  if (details.background !== undefined) return 'in the background'
  if (!details.timedOut) return details.exitCode === null ? 'ended by a signal' : `exit ${details.exitCode}`
  const limit = timeLimitOf(call)
  return limit === null ? 'time limit reached' : `time limit of ${duration(limit)} reached`
}

/**
 * How a background command ended. `terminal` is null if the command was started in an earlier run of the app. `isLeft` is true if the
 * command kept running after that run.
 */
export function backgroundEnd(terminal: { readonly exitCode: number | null } | null, isLeft: boolean): string {
  if (terminal === null) return isLeft ? 'still running' : 'outcome unknown'
  return terminal.exitCode === null ? 'ended by a signal' : `ended, exit ${terminal.exitCode}`
}

/** The tone of an exit code. Undefined if there is no exit code, because then a signal ended the command and the user may have sent it. */
export function exitTone(exitCode: number | null): 'ok' | 'fail' | undefined {
  if (exitCode === null) return undefined
  return exitCode === 0 ? 'ok' : 'fail'
}

/** The output for people, without the lines that are only for the model. */
export function writtenOutput(call: CallItem): string {
  const details = detailsOf(bashOutputSpec, call) ?? commandDetails(call)
  if (details === null) return call.output
  if ('printed' in details && details.printed !== 'text')
    return details.printed === 'nothing' ? 'Nothing new was printed.' : 'Nothing new matches.'
  return withoutLines(call.output, details.forModel)
}

/** Searches from the end, because a command may have printed the same lines earlier. */
function withoutLines(output: string, lines: readonly string[]): string {
  let rest = `\n${output}\n`
  for (const line of lines.toReversed()) {
    const at = rest.lastIndexOf(`\n${line}\n`)
    if (at !== -1) rest = rest.slice(0, at) + rest.slice(at + 1 + line.length)
  }
  return rest.slice(1, -1)
}
