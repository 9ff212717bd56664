import { useEffect, useSyncExternalStore } from 'react'

export type LazyState<T> =
  | { readonly kind: 'coming' }
  | { readonly kind: 'here'; readonly value: T }
  | { readonly kind: 'failed'; readonly message: string; readonly retry: () => void }

/** How long a part may load before the user is offered another attempt, in ms. */
const TIMEOUT_MS = 20_000

const COMING = { kind: 'coming' } as const

/**
 * A part of the page whose code is loaded once, on first use, and shared. The code is kept, so that later uses do not flicker.
 */
export class LazyPart<T> {
  readonly #load: () => Promise<T>
  readonly #listeners = new Set<() => void>()
  #arrival: LazyState<T> = COMING
  #loading: Promise<T> | null = null

  constructor(load: () => Promise<T>) {
    this.#load = load
  }

  readonly arrival = (): LazyState<T> => this.#arrival

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#forgetFailure()
    }
  }

  /** Starts loading, unless the part is loading, is loaded or has failed. After a failure, `retry` loads it again. */
  fetch(): void {
    this.#fetch(false)
  }

  #fetch(isAgain: boolean): void {
    if (this.#loading !== null || this.#arrival.kind !== 'coming') return
    const loading = this.#load()
    this.#loading = loading
    const fail = (message: string): void => {
      if (this.#loading !== loading) return
      this.#fail(message)
      if (isAgain) void reloadIfPossible()
    }
    const timer = setTimeout(() => fail(`no answer within ${TIMEOUT_MS / 1000} seconds`), TIMEOUT_MS)
    loading
      .then(
        // The loaded code is used even if it arrives after the timeout.
        (value) => this.#become({ kind: 'here', value }),
        (error: unknown) => fail(error instanceof Error ? error.message : String(error)),
      )
      .finally(() => clearTimeout(timer))
  }

  #fail(message: string): void {
    this.#become({ kind: 'failed', message, retry: () => this.#retry() })
    if (this.#listeners.size === 0) this.#forgetFailure()
  }

  #retry(): void {
    this.#become(COMING)
    this.#fetch(true)
  }

  /** Forgets a failure when no component shows the failure any longer. The next component that needs the part then loads it again. */
  #forgetFailure(): void {
    if (this.#arrival.kind === 'failed') this.#arrival = COMING
  }

  #become(arrival: LazyState<T>): void {
    this.#loading = null
    this.#arrival = arrival
    for (const listener of this.#listeners) listener()
  }
}

/**
 * Some browsers do not fetch a module again after a failure until the page is reloaded. All drafts survive the reload. If the page cannot be
 * fetched either, it stays as it is.
 */
async function reloadIfPossible(): Promise<void> {
  const answer = await fetch(location.href, { cache: 'no-store' }).catch(() => null)
  if (answer?.ok) location.reload()
}

/** Loads a part on its first use. React's `lazy` would remain broken after a failure until the page is reloaded. */
export function useLazyPart<T>(part: LazyPart<T>): LazyState<T> {
  const arrival = useSyncExternalStore(part.subscribe, part.arrival)
  useEffect(() => part.fetch(), [part])
  return arrival
}
