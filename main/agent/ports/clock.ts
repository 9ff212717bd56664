/** Time, so that tests can turn it by hand. Milliseconds since the epoch, and a timer that an abort ends early (it then rejects with the reason). */
export interface Clock {
  now(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
