import type { CallItem } from '../../../../shared/session/state.ts'
import { backgroundOf, globDetails, grepDetails, runsCommand, webSearchDetails } from '../../../ui/calls/call-details.ts'
import { writtenOutput } from '../../../ui/calls/written-output.ts'
import { longCommand } from './long-command.ts'

/** What lies under a step's line: nothing; always there; or to be folded, open or closed at first. */
export type Folding = 'none' | 'fixed' | 'open' | 'closed'

export function foldingOf(call: CallItem): Folding {
  switch (call.status) {
    case 'running':
      return call.tail || longCommand(call) !== null ? 'fixed' : 'none'
    case 'preparing':
    case 'waiting':
    case 'signed':
    case 'refused':
      return longCommand(call) === null ? 'none' : 'closed'
    case 'barred':
    case 'interrupted':
    case 'stopped':
      return call.output === '' ? 'none' : 'fixed'
    case 'done':
    case 'failed':
      return endedFolding(call)
  }
}

function endedFolding(call: CallItem): Folding {
  if (backgroundOf(call) !== null) return 'fixed'
  if (runsCommand(call)) return writtenOutput(call) === '' && longCommand(call) === null ? 'none' : call.isError ? 'open' : 'closed'
  switch (call.toolName) {
    case 'write_file':
    case 'edit_file':
      return call.isError ? 'fixed' : call.effects.length > 0 ? 'closed' : 'none'
    case 'grep':
      return call.isError || (grepDetails(call)?.hits.length ?? 0) > 0 ? 'fixed' : 'none'
    case 'todo_write':
    case 'ask_user_question':
      return 'fixed'
    case 'kill_shell':
      // a command that was ended is ended; of a shell there is more to say
      return call.isError ? 'fixed' : typeof call.args?.['id'] === 'string' ? 'none' : 'closed'
    case 'web_search':
      return call.isError ? 'fixed' : (webSearchDetails(call)?.hits.length ?? 0) > 0 ? 'closed' : 'none'
    case 'glob':
      return call.isError ? 'fixed' : (globDetails(call)?.paths.length ?? 0) > 0 ? 'closed' : 'none'
    default:
      // whatever the tool: what it wrote is shown as a difference
      if (call.effects.some(({ kind }) => kind === 'write' || kind === 'delete')) return call.isError ? 'fixed' : 'closed'
      return call.output === '' ? 'none' : call.isError ? 'fixed' : 'closed'
  }
}
