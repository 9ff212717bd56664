import type { DurableEvent, Trouble } from '../../shared/session/events.ts'
import { FAILED_COMMAND } from '../../shared/session/fold/fold-notice.ts'
import type { ExecResult } from './ports/execution-environment.ts'

const MAX_COMMAND = 80

/** What the user and the agent are told about a background command. Null if it succeeded or was stopped. */
export function failedInBackground(command: string, { exitCode, timedOut, aborted }: ExecResult): Trouble | null {
  if (aborted || (exitCode === 0 && !timedOut)) return null
  const end = timedOut ? 'at its time limit' : exitCode === null ? 'by a signal' : `exit ${exitCode}`
  return {
    code: FAILED_COMMAND,
    what: `“${shortCommand(command)}” ended in the background, ${end}.`,
    kept: 'Its output is kept in its step.',
    todo: 'The agent is told with its next request.',
  }
}

function shortCommand(command: string): string {
  const [line = ''] = command.trim().split('\n', 1)
  return line.length > MAX_COMMAND || line.length < command.trim().length ? `${line.slice(0, MAX_COMMAND).toWellFormed()}…` : line
}

/** The failures that the model has not been told yet. Derived only from the log, so that a restart repeats nothing. */
export interface UntoldFailures {
  add(event: DurableEvent): void
  /** The note for the model. Null if there is nothing to tell. */
  note(): string | null
}

export function createUntoldFailures(): UntoldFailures {
  let untold: string[] = []
  const note = (): string | null =>
    untold.length === 0 ? null : `${untold.join(' ')} Read the last output with bash_output before you rely on what it did.`
  return {
    add(event) {
      if (event.kind === 'WARNING' && event.trouble.code === FAILED_COMMAND) untold.push(event.trouble.what)
      else if (event.kind === 'STEERING_INJECTED' && event.by === 'loop' && event.text === note()) untold = []
    },
    note,
  }
}
