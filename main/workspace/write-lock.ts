/** Runs one piece of work at a time, in order of arrival. */
export interface WriteLock {
  /**
   * Waits for the lock, does the work, and releases the lock however the work ends. Rejects with the work's error, or with the signal's
   * reason if the signal aborts during the wait. Work that has begun is not interrupted. `hasWaited` tells the work that it had to wait, so
   * things may have changed.
   */
  exclusively<T>(work: (hasWaited: boolean) => Promise<T>, signal?: AbortSignal): Promise<T>
}

export function createWriteLock(): WriteLock {
  let last: Promise<void> = Promise.resolve()
  let users = 0
  return {
    async exclusively(work, signal) {
      signal?.throwIfAborted()
      const before = last
      const hasWaited = users++ > 0
      const { promise: done, resolve: giveOn } = Promise.withResolvers<void>()
      // If waiting work is aborted, the work after it must still wait for the work before it.
      last = before.then(() => done)
      try {
        await turn(before, signal)
        return await work(hasWaited)
      } finally {
        users--
        giveOn()
      }
    },
  }
}

async function turn(before: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return before
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([before, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
