import type { Trouble } from '../../../shared/session/events.ts'
import { StorageError } from '../../agent/storage-error.ts'
import { complainLast } from './output.ts'
import { sentences } from './sentences.ts'

/** How long the app may take to close after a bug, in ms; the history is whole without that. */
const CLOSING_MS = 3_000

/** Whatever nobody caught, in three lines instead of a stack: a failing disk in its own words, everything else as a bug of ours. */
export function troubleOfBug(error: unknown): Trouble {
  if (error instanceof StorageError) return error.trouble
  return {
    code: 'internal',
    what: `Countersign itself failed: ${error instanceof Error ? error.message : String(error)}`,
    kept: 'Everything up to here is in the history; what was waiting for a signature still waits.',
    todo: 'Start again, or open the session in a window (npm start). If it happens again, please report it.',
  }
}

/** From now on an exception or rejection that nobody caught is said on standard error, then everything is closed; exit code 1. */
export function sayLastWords(close: () => Promise<void>): void {
  let isEnding = false
  const end = (error: unknown): void => {
    if (isEnding) return
    isEnding = true
    complainLast(sentences(troubleOfBug(error)))
    const exit = (): never => process.exit(1)
    setTimeout(exit, CLOSING_MS)
    void close().then(exit, exit)
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}
