import type { CallItem } from '../../../shared/session/state.ts'
import { shellDetails } from './call-details.ts'

/** The line with which the model is told how a command ended; it stands below all that the command wrote. */
const ENDING = /(?:^|\n)(?:Exit code: (\d+) \(\d+ ms\)|(?:Timed out|Ended by \S+) after \d+ ms)$/

/** What people see of an output: how a command ended and how long it took stands beside it already. */
export function writtenOutput(call: CallItem): string {
  const details = shellDetails(call)
  const found = details && ENDING.exec(call.output)
  if (!found || (found[1] !== undefined && Number(found[1]) !== details.exitCode)) return call.output
  return call.output.slice(0, found.index)
}
