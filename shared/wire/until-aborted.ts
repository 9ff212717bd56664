/**
 * The items of `source` until the signal aborts. Then the iteration ends at once, even while the next item is pending, and `return` is called
 * on the source without waiting for it. Later errors of the source are ignored.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const iterator = source[Symbol.asyncIterator]()
  let isOver = false
  let wake = (): void => {}
  const leave = (): void => {
    if (isOver) return
    isOver = true
    iterator.return?.().catch(() => {})
    wake()
  }
  signal.addEventListener('abort', leave, { once: true })
  try {
    while (!signal.aborted) {
      // Promise.race is not used here, because the promise for the abort would keep a reference to every item until the stream ends.
      const next = Promise.withResolvers<IteratorResult<T> | null>()
      wake = () => next.resolve(null)
      iterator.next().then(next.resolve, next.reject)
      const result = await next.promise
      if (!result) return
      if (result.done) {
        isOver = true
        return
      }
      yield result.value
    }
  } finally {
    signal.removeEventListener('abort', leave)
    leave()
  }
}
