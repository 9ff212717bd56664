import type { Clock } from '../agent/ports/clock.ts'

/** Maximum time that one timer can wait, in ms. */
const LONGEST_TIMER = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const wake = (): void => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      const abort = (): void => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(wake, Math.min(Math.max(0, ms), LONGEST_TIMER))
      signal?.addEventListener('abort', abort, { once: true })
    })
  },
}
