import type { AnyEnvelope, Trouble } from '../../../shared/session/events.ts'
import { sentences } from './sentences.ts'
import type { Stopping } from '../stop-signals.ts'

/** Writes to standard output; nothing more once that has failed. */
export type Write = (text: string) => void

/**
 * Standard output, whose reader may go at any time (`| head -1`): that stops the turn and is otherwise quiet. Every other failure (a full disk
 * behind `>`) stops it as well and is said on standard error.
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
  // Nobody reads the complaints: there is no place left to say that.
  process.stderr.on('error', () => {})
  return (text) => void (isOpen && process.stdout.write(text))
}

let isSilent = false

/** A text for standard error. */
export function complain(text: string): void {
  if (!isSilent) process.stderr.write(text)
}

/** The last text for standard error: whatever fails while the app closes is only what follows from it. */
export function complainLast(text: string): void {
  complain(text)
  isSilent = true
}

const notWritten = (error: Error): Trouble => ({
  code: 'output_failed',
  what: `Standard output cannot be written any more: ${error.message}`,
  kept: 'Everything so far is in the history; the turn was stopped.',
  todo: 'Free some space, or send the output elsewhere, then start again.',
})

/** Shows a session's events to whoever started us: JSON lines to programs, plain lines to people. */
export interface Progress {
  show(envelope: AnyEnvelope): void
  /** Nothing more comes: what is written ends with its line. */
  end(): void
}
