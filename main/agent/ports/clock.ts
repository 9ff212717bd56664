/** Time in milliseconds; tests control it by hand. */
export interface Clock {
  /** Ms since the epoch by the computer's clock, which may be set back: for timestamps, never for durations. */
  now(): number
  /** Ms since a fixed moment. Never goes back. */
  elapsed(): number
  /** A timer. An abort ends it early, and it rejects with the reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
