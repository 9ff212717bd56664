import type { Clock } from '../../agent/ports/clock.ts'
import { servedWindow, type ServedWindow } from './server-window.ts'

/** A server is asked again after this time (ms), because it may have been restarted with another context window. */
const FRESH_MS = 60_000

/** Context windows that servers on this computer reported. */
export interface ServedWindows {
  /** Resolves when the server has answered. If it was asked before, resolves at once and asks again in the background once a minute. */
  ask(address: string, model: string): Promise<void>
  last(address: string | null, model: string): ServedWindow | null
}

export function createServedWindows(clock: Clock): ServedWindows {
  const known = new Map<string, { readonly atMs: number; readonly asked: Promise<void>; window: ServedWindow | null }>()
  const nameOf = (address: string, model: string): string => `${address} ${model}`
  const ask = (address: string, model: string): Promise<void> => {
    const name = nameOf(address, model)
    const before = known.get(name)
    if (before && clock.elapsed() - before.atMs < FRESH_MS) return before.asked
    const asked = servedWindow(address, model).then((window) => {
      const entry = known.get(name)
      if (entry) entry.window = window ?? entry.window
    })
    known.set(name, { atMs: clock.elapsed(), asked, window: before?.window ?? null })
    return before ? Promise.resolve() : asked
  }
  return { ask, last: (address, model) => (address === null ? null : (known.get(nameOf(address, model))?.window ?? null)) }
}
