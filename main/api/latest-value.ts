import type { Disposable } from '../../shared/lib/disposable.ts'

/** Yields a value now and after each change. Changes that come faster than they are consumed are merged. */
export async function* latestValue<T>(
  read: () => T | Promise<T>,
  onChange: (changed: () => void) => Disposable,
  signal: AbortSignal,
): AsyncGenerator<T> {
  let isStale = true
  let wake: () => void = () => {}
  const subscription = onChange(() => {
    isStale = true
    wake()
  })
  const end = (): void => wake()
  signal.addEventListener('abort', end)
  try {
    while (!signal.aborted) {
      if (isStale) {
        isStale = false
        yield await read()
        continue
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      await promise
    }
  } finally {
    signal.removeEventListener('abort', end)
    subscription.dispose()
  }
}
