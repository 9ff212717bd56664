import type { ExecOptions } from '../../agent/ports/execution-environment.ts'

/** The longest possible timer, in ms. A longer time limit means no limit. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
/** Maximum time in total, in ms, for which a command's time limit is paused while the command waits for a user. */
const HELD_MS = 120_000

/** What a command waits for: typed input, or an answer about a host. */
type WaitFor = 'input' | 'host'

/** A command's time limit. */
export interface TimeLimit {
  /** Resolves when the time is up. */
  readonly over: Promise<void>
  /**
   * Sets whether the command waits for `what` (default: input). The time limit is paused as long as the command waits for at least one
   * thing.
   */
  hold(waits: boolean, what?: WaitFor): void
  readonly waitsForInput: boolean
  stop(): void
}

/** If `pausesForInput` is false, only other waits pause the time limit. */
export function createTimeLimit(timeoutMs: number, { pausesForInput = true }: Pick<ExecOptions, 'pausesForInput'> = {}): TimeLimit {
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = timeoutMs
  let heldLeft = HELD_MS
  let since = performance.now()
  let isHeld = false
  const waitsFor = new Set<WaitFor>()
  let timer: NodeJS.Timeout | undefined
  const start = (): void => {
    since = performance.now()
    const ms = isHeld ? heldLeft : left
    if (isHeld || left <= LONGEST_TIMER_MS) timer = setTimeout(isHeld ? runOn : resolve, Math.max(0, ms))
  }
  /** Continues the time limit, because the command has used up its pause. */
  const runOn = (): void => {
    heldLeft = 0
    timer = setTimeout(resolve, left)
  }
  if (left <= LONGEST_TIMER_MS) start()
  return {
    over: promise,
    hold(waits, what = 'input') {
      if (waits) waitsFor.add(what)
      else waitsFor.delete(what)
      const pauses = waitsFor.has('host') || (pausesForInput && waitsFor.has('input'))
      if (pauses === isHeld || timeoutMs > LONGEST_TIMER_MS) return
      clearTimeout(timer)
      const passed = performance.now() - since
      if (isHeld) heldLeft = Math.max(0, heldLeft - passed)
      else left -= passed
      isHeld = !isHeld
      start()
    },
    get waitsForInput() {
      return waitsFor.has('input')
    },
    stop: () => clearTimeout(timer),
  }
}

/** The time limits of the commands that are running. */
export interface RunningLimits {
  /** The same limit, which belongs to the others until it is stopped. */
  add(limit: TimeLimit): TimeLimit
  /** Sets whether commands wait for an answer about a host. Nobody knows which of them does, so this pauses all of them. */
  hold(waits: boolean): void
}

export function createRunningLimits(): RunningLimits {
  const limits = new Set<TimeLimit>()
  let isHeld = false
  return {
    add(limit) {
      limits.add(limit)
      if (isHeld) limit.hold(true, 'host')
      return {
        over: limit.over,
        hold: limit.hold,
        get waitsForInput() {
          return limit.waitsForInput
        },
        stop() {
          limits.delete(limit)
          limit.stop()
        },
      }
    },
    hold(waits) {
      isHeld = waits
      for (const limit of limits) limit.hold(waits, 'host')
    },
  }
}
