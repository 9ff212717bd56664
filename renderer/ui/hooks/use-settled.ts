import { useEffect, useRef, useState } from 'react'

export interface Settled<T> {
  /** The value for the current `key`. Null until it has arrived. */
  readonly value: T | null
  /** The last value that arrived, even if it was for an earlier `key`. */
  readonly last: T | null
  /** Starts the work again. The value of work that was started before is dropped. */
  readonly again: () => Promise<void>
}

/**
 * Starts work on mount, and again whenever `key` or one of `changes` gets another value. Null starts nothing. Only the value of the work that
 * was started last is used. Work that fails leaves the last value. `changes` always has the same length.
 */
export function useSettled<T>(key: unknown, start: (() => Promise<T>) | null, changes: readonly unknown[] = []): Settled<T> {
  const [settled, setSettled] = useState<{ readonly key: unknown; readonly value: T } | null>(null)
  const newest = useRef<symbol>(undefined)
  // `again` may be called after a later render, for example after a request, and then means what is shown now.
  const shown = useRef({ key, start })
  useEffect(() => void (shown.current = { key, start }))
  const again = async (): Promise<void> => {
    const now = shown.current
    if (now.start === null) return
    const own = Symbol()
    newest.current = own
    try {
      const value = await now.start()
      if (newest.current === own) setSettled({ key: now.key, value })
    } catch {
      // The caller turns failures that the user must see into values.
    }
  }
  useEffect(() => {
    void again()
    return () => {
      newest.current = undefined
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `key` and `changes` say what the work depends on
  }, [start === null, key, ...changes])
  return { value: settled !== null && settled.key === key ? settled.value : null, last: settled?.value ?? null, again }
}
