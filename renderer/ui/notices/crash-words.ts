/** An error of a part of the window, as the user reads it. */
export interface CrashWords {
  /** What happened, in one sentence. */
  readonly happened: string
  /** The text of the error for a bug report. Null if `happened` says everything. */
  readonly details: string | null
}

const MINIFIED = /^Minified React error #\d+/u

/**
 * Only the messages of Countersign's own errors are written for users. Those of the browser (`TypeError`, `DOMException`) and of React,
 * which are shortened to a number and an address, become details.
 */
export function crashWords(what: string, error: unknown): CrashWords {
  const message = error instanceof Error ? error.message : String(error)
  const isOwn = error instanceof Error && error.name === 'Error' && message !== '' && !MINIFIED.test(message)
  if (isOwn) return { happened: `${what} cannot be shown: ${message}`, details: null }
  const where = (error instanceof Error && error.stack) || ''
  const title = error instanceof Error ? `${error.name}: ${message}` : message
  return {
    happened: `${what} cannot be shown because of a bug in Countersign.`,
    details: where.includes(message) ? where : `${title}\n${where}`.trim(),
  }
}
