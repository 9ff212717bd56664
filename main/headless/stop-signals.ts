/** What stopped the run from outside. */
export type StopCause = 'signal' | 'reader_gone' | 'output_failed'

export interface Stopping {
  /** Aborted by the first cause. Its reason is a `StopCause`. */
  readonly signal: AbortSignal
  stop(cause: StopCause): void
}

/**
 * Listens for SIGINT, SIGTERM and SIGHUP, so that none is lost while the app starts. The first signal stops the turn, and the log records
 * it. A second signal ends the process at once with exit code 130.
 */
export function listenForStop(): Stopping {
  const abort = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (abort.signal.aborted && abort.signal.reason === 'signal') process.exit(130)
      abort.abort('signal' satisfies StopCause)
    })
  }
  return { signal: abort.signal, stop: (cause) => abort.abort(cause) }
}
