import type { CallItem } from '../../shared/session/state.ts'
import { bashOutputSpec, killShellSpec } from '../../shared/tools/built-in/background-commands.ts'
import { detailsOf } from '../../shared/tools/spec/tool-spec.ts'
import { commandOutcome } from '../ui/calls/command-words.ts'
import type { ToolView } from './view/tool-view.ts'

export const bashOutputView: ToolView = { spec: bashOutputSpec, outcome: outputOutcome, unfolds: 'what was printed' }

function outputOutcome(call: CallItem): string | null {
  const details = detailsOf(bashOutputSpec, call)
  if (details === null || !('running' in details)) return commandOutcome(call)
  if (details.running) return 'still running'
  return details.exitCode === null ? 'ended by a signal' : `exit ${details.exitCode}`
}

export const killShellView: ToolView = {
  spec: killShellSpec,
  outcome: ({ isError }) => (isError ? null : 'stopped'),
  // For a background command, the output adds nothing to the word "stopped". For the session's bash, it does.
  folding: ({ args }) => (typeof args?.['id'] === 'string' ? 'none' : 'closed'),
}
