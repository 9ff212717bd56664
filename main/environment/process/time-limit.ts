/** The longest timer in ms; a longer time limit is no limit. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
/** While a command waits for a person's input its time limit is paused, for at most this long in total (ms). */
const HELD_MS = 120_000

/** A command's time limit. */
export interface TimeLimit {
  /** Resolves when the time is up. */
  readonly over: Promise<void>
  /** Pauses or resumes the limit: whether the command waits for input. */
  hold(waits: boolean): void
  /** The last value passed to `hold`. */
  readonly isHeld: boolean
  stop(): void
}

export function createTimeLimit(timeoutMs: number): TimeLimit {
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = timeoutMs
  let heldLeft = HELD_MS
  let since = performance.now()
  let isHeld = false
  let timer: NodeJS.Timeout | undefined
  const start = (): void => {
    since = performance.now()
    const ms = isHeld ? heldLeft : left
    if (isHeld || left <= LONGEST_TIMER_MS) timer = setTimeout(isHeld ? runOn : resolve, Math.max(0, ms))
  }
  /** Nobody typed in time. */
  const runOn = (): void => {
    heldLeft = 0
    timer = setTimeout(resolve, left)
  }
  if (left <= LONGEST_TIMER_MS) start()
  return {
    over: promise,
    hold(waits) {
      if (waits === isHeld || timeoutMs > LONGEST_TIMER_MS) {
        isHeld = waits
        return
      }
      clearTimeout(timer)
      const passed = performance.now() - since
      if (isHeld) heldLeft = Math.max(0, heldLeft - passed)
      else left -= passed
      isHeld = waits
      start()
    },
    get isHeld() {
      return isHeld
    },
    stop: () => clearTimeout(timer),
  }
}
