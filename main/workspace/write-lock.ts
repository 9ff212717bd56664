/** One work at a time, in the order in which they came. */
export interface WriteLock {
  /**
   * Waits for its turn, does the work and gives the turn on, however the work ends. Rejects with the work's error, or with the signal's
   * reason when it is aborted while waiting; work that has begun is not interrupted. It is told whether it had to wait: much may have
   * changed meanwhile.
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
      // Also somebody who gave up keeps the order: those behind still wait for those before.
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
