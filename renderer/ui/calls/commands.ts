import { NO_TIME_LIMIT_MS } from '../../../shared/session/effects.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { bashOutputSpec } from '../../../shared/tools/background.ts'
import { commandDetails, runsCommand } from '../../../shared/tools/catalogue.ts'
import { detailsOf } from '../../../shared/tools/spec/call-details.ts'
import { duration } from '../format.ts'

/** How long a command may run, in ms. Null: the call runs no command, or there is no limit. */
export function timeLimitOf({ effects }: Pick<CallItem, 'effects'>): number | null {
  const limit = effects.find((effect) => effect.kind === 'command')?.timeoutMs ?? null
  return limit !== null && limit >= NO_TIME_LIMIT_MS ? null : limit
}

/** The name of a command that continues after its call, such as `bg_1`. Null: it ended with the call. */
export const backgroundOf = (call: CallItem): string | null => commandDetails(call)?.background ?? null

/** Characters of a command that fit on the line of its step. */
const ON_A_LINE = 90

/** A command that does not fit on the line of its step. Null: it fits, or the call runs no command. */
export function longCommand(call: CallItem): string | null {
  const written = call.args?.['command']
  if (!runsCommand(call) || typeof written !== 'string') return null
  const command = written.trim()
  return command.includes('\n') || command.length > ON_A_LINE ? command : null
}

/** How a command ended. Null: it has not. */
export function commandOutcome(call: CallItem): string | null {
  const details = commandDetails(call)
  if (!details) return null
  if (details.background !== undefined) return 'in the background'
  if (!details.timedOut) return details.exitCode === null ? 'ended by a signal' : `exit ${details.exitCode}`
  const limit = timeLimitOf(call)
  return limit === null ? 'time limit reached' : `time limit of ${duration(limit)} reached`
}

/** How a background command ended. `standing`: null if it was started in an earlier run of the app; `isLeft`: it was left running then. */
export function backgroundEnd(standing: { readonly exitCode: number | null } | null, isLeft: boolean): string {
  if (standing === null) return isLeft ? 'still runs' : 'outcome unknown'
  return standing.exitCode === null ? 'ended by a signal' : `ended, exit ${standing.exitCode}`
}

/** The tone of an exit code. Null has none: the signal may have been the person's. */
export function exitTone(exitCode: number | null): 'ok' | 'fail' | undefined {
  if (exitCode === null) return undefined
  return exitCode === 0 ? 'ok' : 'fail'
}

/** The line that tells the model how a command ended, after all that it wrote. What follows is about the state of its shell. */
const ENDING =
  /(?:^|\n)(?:Exit code: (\d+) \(\d+ ms\)|(?:Timed out|Ended by \S+) after \d+ ms)(?=$|\nT(?:he (?:shell|bash process) ended with|his ran in a (?:fresh|new)))/
/** What the model is told to do about a time limit, or about a question that nobody answered. */
const ADVICE = /(?:^|\n)(?:\[ERROR: Command timed out [^\n]*\]|It was waiting for input\. Give it what it asks for [^\n]*)$/
/** The first line of bash_output: the step's line shows the same. */
const STANDING = /^[^\n]*\.(?:\n|$)/

/** An output for people: without the lines that repeat what the step's line shows, and without advice for the model. */
export function writtenOutput(call: CallItem): string {
  const read = detailsOf(bashOutputSpec, call)
  if (read && 'running' in read) return readOutput(call.output)
  const details = commandDetails(call)
  const found = details && ENDING.exec(call.output)
  if (!found || (found[1] !== undefined && Number(found[1]) !== details.exitCode)) return call.output
  const written = call.output.slice(0, found.index)
  const after = call.output.slice(found.index + found[0].length)
  return (details.timedOut ? withoutAdvice(written) : written) + (written === '' ? after.replace(/^\n/, '') : after)
}

const withoutAdvice = (text: string): string => text.replace(ADVICE, '').replace(ADVICE, '')

function readOutput(output: string): string {
  const written = output.replace(STANDING, '')
  return written === '(nothing new)' ? 'Nothing new was printed.' : written.replace('(nothing new that matches)', 'Nothing new matches.')
}
