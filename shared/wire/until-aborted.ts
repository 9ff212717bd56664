/**
 * The items of `source` until the signal aborts: then the iteration ends at once, and the source is told to stop (`return`), however long
 * its next item takes. Nothing is waited for after that, and what the source throws after it is dropped.
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
      // No Promise.race: a promise of the abort would hold on to every item until the stream ends.
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
