import type { Disposable } from '../../shared/lib/disposable.ts'

/**
 * Yields a value now and after each change. Changes that come faster than they are consumed are merged. A value for which `isSame` is true
 * is left out.
 */
export async function* latestValue<T>(
  read: () => T | Promise<T>,
  onChange: (changed: () => void) => Disposable,
  signal: AbortSignal,
  isSame: (last: T, next: T) => boolean = () => false,
): AsyncGenerator<T> {
  let last: { readonly value: T } | null = null
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
        const value = await read()
        if (last === null || !isSame(last.value, value)) yield (last = { value }).value
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
