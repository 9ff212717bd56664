import { isAway } from './follow-seen.ts'

/**
 * What the windows of one app have to agree on, by the browser's locks: they are shared by all pages of our origin and are gone with their
 * page. Without them, as in tests of the state alone, this window counts as the only one.
 */
const IN_FRONT = 'countersign.in-front'

const locks = (): LockManager | undefined => (typeof navigator === 'undefined' ? undefined : navigator.locks)

/** Lets the other windows know while this one is in front. */
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

/** True for one window at a time; that one keeps it until the signal aborts or its page is gone. */
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
