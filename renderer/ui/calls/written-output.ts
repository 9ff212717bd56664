import type { CallItem } from '../../../shared/session/state.ts'
import { bashOutputDetails, shellDetails } from './call-details.ts'

/** The line with which the model is told how a command ended, below all that the command wrote; behind it what it is told of its shell. */
const ENDING =
  /(?:^|\n)(?:Exit code: (\d+) \(\d+ ms\)|(?:Timed out|Ended by \S+) after \d+ ms)(?=$|\nT(?:he (?:shell|bash process) ended with|his ran in a (?:fresh|new)))/
/** What it is told to do about a time limit, or a question that nobody answered. */
const ADVICE = /(?:^|\n)(?:\[ERROR: Command timed out [^\n]*\]|It was waiting for input\. Give it what it asks for [^\n]*)$/
/** What bash_output says first: it stands at the right of the line. */
const STANDING = /^[^\n]*\.(?:\n|$)/

/** What people see of an output: how a command ended and how long it took stands beside it already. */
export function writtenOutput(call: CallItem): string {
  if (bashOutputDetails(call)) return readOutput(call.output)
  const details = shellDetails(call)
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
