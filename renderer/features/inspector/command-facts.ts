import { beganAt } from '../../../shared/session/fold/run-state.ts'
import type { CallItem, SessionState } from '../../../shared/session/state.ts'
import { runsCommand } from '../../../shared/tools/catalogue.ts'
import { backgroundOf } from '../../ui/calls/command-words.ts'

/** Steps that run a command, in the order of the ledger. */
export function commandsOf({ items }: SessionState): readonly CallItem[] {
  return items.filter((item): item is CallItem => item.kind === 'call' && runsCommand(item))
}

/** The command line and its folder. The folder is null while it is unknown. */
export function commandLine(call: CallItem): { readonly command: string; readonly cwd: string | null } {
  const effect = call.effects.find((one) => one.kind === 'command')
  const asked = call.args?.['command']
  return { command: effect?.command ?? (typeof asked === 'string' ? asked : ''), cwd: effect?.cwd ?? null }
}

/** The name of the command's terminal: `bg_1` or the session's shell. Null for a plain command. */
export function terminalName(call: CallItem): string | null {
  const effect = call.effects.find((one) => one.kind === 'command')
  if (effect?.way === 'shell') return 'session’s bash'
  return backgroundOf(call)
}

/** Whether the command started and therefore has a terminal. */
export function hasRun(call: CallItem): boolean {
  return beganAt(call) !== null
}

/** The blocks that are open by default: running commands and the two newest commands that have run. */
export function openBlocks(calls: readonly CallItem[], runs: (call: CallItem) => boolean = () => false): ReadonlySet<string> {
  const newest = calls.filter(hasRun).slice(-2)
  const running = calls.filter((call) => call.status === 'running' || runs(call))
  return new Set([...newest, ...running].map(({ toolCallId }) => toolCallId))
}
