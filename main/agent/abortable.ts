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
