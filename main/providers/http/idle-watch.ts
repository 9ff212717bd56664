import type { Clock } from '../../agent/ports/clock.ts'

/** If a timer fires later than planned by more than this (ms), the machine was asleep. That time does not count toward the limit. */
const SLEPT_MS = 5_000

/**
 * Detects a stalled stream. Time counts only between `waiting` and `arrived`, so that a slow consumer does not count as a stall. Uses a
 * single timer for any amount of data.
 */
export class IdleWatch {
  readonly #clock: Clock
  readonly #stopped = new AbortController()
  readonly #onIdle: () => void
  readonly #limitMs: number
  #since: number | null = null
  #started = false

  constructor(clock: Clock, limitMs: number, onIdle: () => void) {
    this.#clock = clock
    this.#limitMs = limitMs
    this.#onIdle = onIdle
  }

  /** Starts to wait. The first call also starts the watch. */
  waiting(): void {
    this.#since = this.#clock.elapsed()
    if (this.#started) return
    this.#started = true
    void this.#watch()
  }

  arrived(): void {
    this.#since = null
  }

  stop(): void {
    // A reason is passed, because `abort()` without a reason creates an exception with a stack trace, which takes 30 µs.
    this.#stopped.abort('over')
  }

  async #watch(): Promise<void> {
    let sleepMs = this.#limitMs
    while (!this.#stopped.signal.aborted) {
      const due = this.#clock.elapsed() + sleepMs
      try {
        await this.#clock.sleep(sleepMs, this.#stopped.signal)
      } catch {
        return
      }
      const now = this.#clock.elapsed()
      if (this.#since !== null && now - due > SLEPT_MS) this.#since = now
      const left = this.#since === null ? this.#limitMs : this.#limitMs - (now - this.#since)
      if (left <= 0) return this.#onIdle()
      sleepMs = left
    }
  }
}
