/**
 * Settles like `promise`, or rejects with the signal's reason as soon as the signal is aborted. After an abort, the promise keeps running,
 * and its failure is ignored.
 */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // Without this, a failure of the promise would be unhandled if the signal is already aborted.
  promise.catch(() => {})
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Settles like `promise`, or resolves to null as soon as the signal is aborted. */
export async function nullOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  try {
    return await abortable(promise, signal)
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

/** Whether the promise resolves within `ms`. After that time it keeps running. Rejects if the promise rejects in time. */
export async function within(coming: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), ms)
  void coming.then(() => resolve(true), reject)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}
