/** Time in milliseconds, so that tests can turn it by hand. */
export interface Clock {
  /** Since the epoch, as the computer's clock says. It may be set, back as well: for stamps, never for how long something takes (fault 52). */
  now(): number
  /** Since some moment that stays the same. It only grows, whatever the computer's clock is set to. */
  elapsed(): number
  /** A timer that an abort ends early; it then rejects with the reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
