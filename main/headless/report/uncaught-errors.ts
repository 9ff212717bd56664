import type { Trouble } from '../../../shared/session/events.ts'
import { StorageError } from '../../agent/storage-error.ts'
import { complainLast, sentences } from './standard-output.ts'

/** How long the app may take to close after a bug, in ms. The history is complete even if closing fails. */
const CLOSING_MS = 3_000

/**
 * An uncaught error as three sentences instead of a stack trace. A storage failure is described as such, and everything else as a bug of
 * Countersign.
 */
export function troubleOfBug(error: unknown): Trouble {
  if (error instanceof StorageError) return error.trouble
  return {
    code: 'internal',
    what: `Countersign itself failed: ${error instanceof Error ? error.message : String(error)}`,
    kept: 'Everything up to here is in the history. Requests that were waiting for a signature are still waiting.',
    todo: 'Start again, or open the session in a window (npm start). If it happens again, please report it.',
  }
}

/** Reports uncaught exceptions and rejections on standard error, closes everything, and exits with code 1. */
export function exitOnUncaughtErrors(close: () => Promise<void>): void {
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
