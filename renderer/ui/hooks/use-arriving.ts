import { useEffect, useState } from 'react'

/** A part of the page whose code is loaded when first needed. */
export interface Arriving<T> {
  readonly load: () => Promise<T>
  /** Kept for the next use, so that nothing flickers. */
  arrived: T | null
}

export type Arrival<T> =
  | { readonly kind: 'coming' }
  | { readonly kind: 'here'; readonly value: T }
  | { readonly kind: 'failed'; readonly message: string; readonly retry: () => void }

export function arriving<T>(load: () => Promise<T>): Arriving<T> {
  return { load, arrived: null }
}

/** Loads it in advance. After a failure, the next use loads it again. */
export async function fetchAhead<T>(part: Arriving<T>): Promise<void> {
  part.arrived ??= await part.load().catch(() => null)
}

/** Loads it once per page. A failure is reported and can be retried, while `lazy` would stay broken until a reload. */
export function useArriving<T>(part: Arriving<T>): Arrival<T> {
  const [value, setValue] = useState(() => ({ arrived: part.arrived }))
  const [failure, setFailure] = useState<string | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (part.arrived !== null) return
    let current = true
    part.load().then(
      (arrived) => {
        part.arrived = arrived
        if (current) setValue({ arrived })
      },
      (error: unknown) => current && setFailure(error instanceof Error ? error.message : String(error)),
    )
    return () => {
      current = false
    }
  }, [part, attempt])
  if (value.arrived !== null) return { kind: 'here', value: value.arrived }
  if (failure === null) return { kind: 'coming' }
  const retry = (): void => {
    setFailure(null)
    setAttempt(attempt + 1)
  }
  return { kind: 'failed', message: failure, retry }
}
