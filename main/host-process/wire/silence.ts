import type { Disposable } from '../../../shared/lib/disposable.ts'

/** Number of checks in a row that must find no message. */
const CHECKS = 4

export interface SilenceWatch extends Disposable {
  /** Call for each message. */
  heard(): void
}

/**
 * Calls `onSilent` once if no message is heard for `limitMs`. Counts checks instead of comparing times, so that a process that was stopped
 * or slept first reads what has arrived in the meantime. `onCheck` is called with each check.
 */
export function watchSilence(limitMs: number, onSilent: () => void, onCheck: () => void = () => {}): SilenceWatch {
  let quiet = 0
  const timer = setInterval(() => {
    quiet += 1
    if (quiet <= CHECKS) return onCheck()
    clearInterval(timer)
    onSilent()
  }, limitMs / CHECKS)
  timer.unref()
  return {
    heard: () => (quiet = 0),
    dispose: () => clearInterval(timer),
  }
}
