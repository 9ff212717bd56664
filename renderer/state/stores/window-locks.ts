import { isAway } from './follow-seen.ts'

/**
 * Coordinates the windows of one app with browser locks. All pages of an origin share these locks, and a page that closes releases its
 * locks. Without locks, as in tests of the state, this window counts as the only one.
 */
const IN_FRONT = 'countersign.in-front'

const locks = (): LockManager | undefined => (typeof navigator === 'undefined' ? undefined : navigator.locks)

/** Holds a lock while this window has the focus, so that the other windows know it. */
export function announceFront(): void {
  let leave: (() => void) | null = null
  const look = (): void => {
    if (isAway()) {
      leave?.()
      leave = null
    } else if (leave === null) {
      const { promise, resolve } = Promise.withResolvers<void>()
      leave = resolve
      void locks()?.request(IN_FRONT, { mode: 'shared' }, () => promise)
    }
  }
  for (const name of ['focus', 'blur'] as const) window.addEventListener(name, look)
  document.addEventListener('visibilitychange', look)
  look()
}

export async function isSomeWindowInFront(): Promise<boolean> {
  const held = (await locks()?.query())?.held ?? []
  return held.some(({ name }) => name === IN_FRONT)
}

/** Resolves to true in only one window, which keeps the claim until the signal aborts or its page closes. */
export function claimNote(key: string, signal: AbortSignal): Promise<boolean> {
  const all = locks()
  if (signal.aborted) return Promise.resolve(false)
  if (!all) return Promise.resolve(true)
  return new Promise((resolve) => {
    void all.request(`countersign.note ${key}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      return lock === null ? undefined : new Promise<void>((end) => signal.addEventListener('abort', () => end(), { once: true }))
    })
  })
}
