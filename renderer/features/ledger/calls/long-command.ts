import { runsCommand } from '../../../ui/calls/call-details.ts'
import type { CallItem } from '../../../../shared/session/state.ts'

/** Characters of a command that its line holds at most; the rest, and all further lines, are to be had by unfolding. */
const ON_A_LINE = 90

/** A command that does not fit on the line of its step, as it was written; null: it is a short one, or none. */
export function longCommand(call: CallItem): string | null {
  const written = call.args?.['command']
  if (!runsCommand(call) || typeof written !== 'string') return null
  const command = written.trim()
  return command.includes('\n') || command.length > ON_A_LINE ? command : null
}
