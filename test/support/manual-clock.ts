import type { Clock } from '../../main/agent/ports/clock.ts'

export interface ManualClock extends Clock {
  /** Sets the time that the clock shows, as a user or the network does. No time passes, and no sleeper wakes. */
  set(at: number): void
  /** Lets time pass. Each sleeper wakes at its own time, in order. */
  advance(ms: number): Promise<void>
  /** Resolves when there is a sleeper that will wake in exactly this many ms. */
  sleeper(ms: number): Promise<void>
  /** Resolves when the time is read. */
  read(): Promise<void>
  /** Returns the remaining time of each sleeper in ms, the shortest first. */
  sleeping(): readonly number[]
}

interface Sleeper {
  readonly at: number
  wake(): void
}

/** A clock that a test controls. A sleeper wakes only when `advance` reaches its time. */
export function manualClock(start = Date.UTC(2026, 10, 21, 14)): ManualClock {
  let now = start
  let setBy = 0
  let sleepers: readonly Sleeper[] = []
  const waiters = new Set<() => void>()
  const readers = new Set<() => void>()
  const next = (until: number): Sleeper | undefined =>
    sleepers.filter((sleeper) => sleeper.at <= until).reduce<Sleeper | undefined>((a, b) => (a && a.at <= b.at ? a : b), undefined)
  const tell = (time: number): number => {
    for (const reader of readers) reader()
    readers.clear()
    return time
  }
  return {
    now: () => tell(now + setBy),
    elapsed: () => tell(now),
    set(at) {
      setBy = at - now
    },
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const sleeper: Sleeper = { at: now + ms, wake: resolve }
        sleepers = [...sleepers, sleeper]
        signal?.addEventListener(
          'abort',
          () => {
            sleepers = sleepers.filter((other) => other !== sleeper)
            reject(signal.reason)
          },
          { once: true },
        )
        for (const check of waiters) check()
      })
    },
    async advance(ms) {
      const until = now + ms
      for (let sleeper = next(until); sleeper; sleeper = next(until)) {
        const { at, wake } = sleeper
        sleepers = sleepers.filter((other) => other !== sleeper)
        now = at
        wake()
        // The code that woke up can run now, and may sleep again within the same call of `advance`.
        await new Promise((resolve) => setImmediate(resolve))
      }
      now = until
    },
    sleeper(ms) {
      return new Promise((resolve) => {
        const check = (): void => {
          if (!sleepers.some((sleeper) => sleeper.at - now === ms)) return
          waiters.delete(check)
          resolve()
        }
        waiters.add(check)
        check()
      })
    },
    read: () => new Promise((resolve) => readers.add(resolve)),
    sleeping: () => sleepers.map((sleeper) => sleeper.at - now).sort((a, b) => a - b),
  }
}
