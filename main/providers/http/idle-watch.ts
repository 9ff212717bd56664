import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { Clock } from '../../agent/ports/clock.ts'

/** After the computer woke up, a connection that survived sends something within this time (ms). Otherwise it is gone without a word. */
const AFTER_WAKE_MS = 15_000

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
  readonly #onWake: ((listener: () => void) => Disposable) | undefined
  /** Ends the current wait early, when the computer wakes up. */
  #nap = new AbortController()
  /** A silence that begins before this time lasts until this time at most, because the computer woke up. */
  #silentUntil: number | null = null
  #since: number | null = null
  #started = false

  constructor(clock: Clock, limitMs: number, onIdle: () => void, onWake?: (listener: () => void) => Disposable) {
    this.#clock = clock
    this.#limitMs = limitMs
    this.#onIdle = onIdle
    this.#onWake = onWake
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
    this.#silentUntil = null
  }

  stop(): void {
    // A reason is passed, because `abort()` without a reason creates an exception with a stack trace, which takes 30 µs.
    this.#stopped.abort('over')
  }

  async #watch(): Promise<void> {
    const waking = this.#onWake?.(() => {
      if (this.#since === null) return
      this.#silentUntil = this.#clock.elapsed() + AFTER_WAKE_MS
      this.#nap.abort('woken')
    })
    try {
      await this.#untilIdle()
    } finally {
      waking?.dispose()
    }
  }

  async #untilIdle(): Promise<void> {
    let sleepMs = this.#limitMs
    while (!this.#stopped.signal.aborted) {
      const due = this.#clock.elapsed() + sleepMs
      await this.#sleep(sleepMs)
      if (this.#stopped.signal.aborted) return
      const now = this.#clock.elapsed()
      if (this.#since !== null && now - due > SLEPT_MS) this.#since = now
      const ends = this.#since === null ? now + this.#limitMs : this.#since + this.#limitMs
      const left = Math.min(ends, this.#silentUntil ?? ends) - now
      if (left <= 0) return this.#onIdle()
      sleepMs = left
    }
  }

  /** Ends early if the watch is stopped or the computer wakes up. */
  async #sleep(ms: number): Promise<void> {
    this.#nap = new AbortController()
    const stop = (): void => this.#nap.abort('over')
    this.#stopped.signal.addEventListener('abort', stop, { once: true })
    try {
      await this.#clock.sleep(ms, this.#nap.signal)
    } catch {
      // The caller sees which of the two it was.
    } finally {
      this.#stopped.signal.removeEventListener('abort', stop)
    }
  }
}
