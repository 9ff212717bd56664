import type { Trouble } from '../../shared/session/events.ts'
import { sentences } from './sentences.ts'
import type { Stopping } from './stop-signals.ts'

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

/** A text for standard error, beginning on a line of its own. */
export function complain(text: string): void {
  process.stderr.write(text)
}

const notWritten = (error: Error): Trouble => ({
  code: 'output_failed',
  what: `Standard output cannot be written any more: ${error.message}`,
  kept: 'Everything so far is in the history; the turn was stopped.',
  todo: 'Free some space, or send the output elsewhere, then start again.',
})
