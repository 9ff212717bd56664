import { useCallback, useEffect, useRef } from 'react'

type Read = (signal: AbortSignal) => Promise<void>

/**
 * Calls `read` when `read` or `changes` changes, and when the returned function is called. Calls during a read lead to one more read after
 * it, so that a slow read is neither repeated in parallel nor given up. Only another `read` aborts the signal. If `read` is null, nothing is
 * called. `read` must not reject.
 */
export function useOneAtATime(read: Read | null, changes: unknown): () => void {
  const ask = useRef<(() => void) | null>(null)
  useEffect(() => {
    if (!read) return
    const stop = new AbortController()
    ask.current = oneAtATime(read, stop.signal)
    return () => {
      ask.current = null
      stop.abort()
    }
  }, [read])
  useEffect(() => ask.current?.(), [read, changes])
  return useCallback(() => ask.current?.(), [])
}

function oneAtATime(read: Read, signal: AbortSignal): () => void {
  let isReading = false
  let isAskedAgain = false
  const start = async (): Promise<void> => {
    isReading = true
    do {
      isAskedAgain = false
      await read(signal)
    } while (isAskedAgain && !signal.aborted)
    isReading = false
  }
  return () => {
    if (isReading) isAskedAgain = true
    else void start()
  }
}
