import type { AnyEnvelope, Trouble } from '../../../shared/session/events.ts'
import type { Stopping } from '../stop-signals.ts'
import { visibleLine } from './visible-text.ts'
import type { LeftCommand } from '../../../shared/api/app.ts'

/** Writes to standard output. Does nothing after a failure. */
export type Write = (text: string) => void

/**
 * Standard output. If its reader goes away (`| head -1`), the turn stops without a message. Any other failure, such as a full disk, stops the
 * turn and is reported on standard error.
 */
export function openOutput({ stop }: Pick<Stopping, 'stop'>): Write {
  let isOpen = true
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!isOpen) return
    isOpen = false
    if (error.code === 'EPIPE' || error.code === 'EIO') return stop('reader_gone')
    complain(sentences(notWritten(error)))
    stop('output_failed')
  })
  // If standard error has no reader, this failure cannot be reported.
  process.stderr.on('error', () => {})
  return (text) => void (isOpen && process.stdout.write(text))
}

let isSilent = false

/** Writes text to standard error. */
export function complain(text: string): void {
  if (!isSilent) process.stderr.write(text)
}

/**
 * Writes text to standard error and suppresses all later text, because failures while the app closes are only consequences of the first
 * one.
 */
export function complainLast(text: string): void {
  complain(text)
  isSilent = true
}

const notWritten = (error: Error): Trouble => ({
  code: 'output_failed',
  what: `Standard output can no longer be written to: ${error.message}`,
  kept: 'Everything so far is in the history. The turn was stopped.',
  todo: 'Free some space, or send the output elsewhere, then start again.',
})

/** Shows a session's events: JSON lines to programs, plain lines to people. */
export interface Progress {
  show(envelope: AnyEnvelope): void
  /** Called when no more events will come. Ends the current line. */
  end(): void
}

/** A trouble as text for standard error: what happened, what was kept and what to do, one line each, with control characters escaped. */
export function sentences({ what, kept, todo }: Trouble): string {
  return `${[what, kept, todo].map(visibleLine).join('\n')}\n`
}

/** Reports a trouble on standard error. Returns the exit code. */
export function failWith(trouble: Trouble): 1 {
  complain(sentences(trouble))
  return 1
}

/** The failure of a command that names a session which is not stored. */
export function noSession(what: string): Trouble {
  return {
    code: 'no_session',
    what,
    kept: 'All sessions are unchanged.',
    todo: 'Find its id with search "WORDS", or in the first line of the JSON output of its run.',
  }
}

/**
 * The text for standard error if a command that outlived a killed Countersign was stopped. It is stopped without asking, because nobody can
 * be asked.
 */
export function leftWords({ command, folder, since }: Pick<LeftCommand, 'command' | 'folder' | 'since'>): string {
  const [line = ''] = command.split('\n', 1)
  const time = since === null ? '' : ` since ${new Date(since).toISOString()}`
  return `Stopped a command that a killed Countersign process had left running in ${visibleLine(folder)}${time}: ${visibleLine(line)}\n`
}
