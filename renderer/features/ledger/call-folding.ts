import type { CallItem } from '../../../shared/session/state.ts'
import { globDetails, grepDetails } from '../../ui/ledger/call-details.ts'
import { writtenOutput } from '../../ui/ledger/written-output.ts'
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
  switch (call.toolName) {
    case 'shell':
    case 'bash':
      return writtenOutput(call) === '' && longCommand(call) === null ? 'none' : call.isError ? 'open' : 'closed'
    case 'write_file':
    case 'edit_file':
      return call.isError ? 'fixed' : call.effects.length > 0 ? 'closed' : 'none'
    case 'grep':
      return call.isError || (grepDetails(call)?.hits.length ?? 0) > 0 ? 'fixed' : 'none'
    case 'todo_write':
      return 'fixed'
    case 'glob':
      return call.isError ? 'fixed' : (globDetails(call)?.paths.length ?? 0) > 0 ? 'closed' : 'none'
    default:
      // whatever the tool: what it wrote is shown as a difference
      if (call.effects.some(({ kind }) => kind === 'write' || kind === 'delete')) return call.isError ? 'fixed' : 'closed'
      return call.output === '' ? 'none' : call.isError ? 'fixed' : 'closed'
  }
}
