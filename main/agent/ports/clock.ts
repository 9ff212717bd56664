/** Time in milliseconds. Tests control it manually. */
export interface Clock {
  /** Milliseconds since the epoch by the computer's clock, which may be set back. Use it for timestamps, never for durations. */
  now(): number
  /** Milliseconds since a fixed moment. Never goes back. */
  elapsed(): number
  /** Resolves after `ms`. If aborted earlier, rejects at once with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
