import type { Clock } from '../../agent/ports/clock.ts'
import { servedWindow, type ServedWindow } from './server-window.ts'

/** Milliseconds after which a server is asked again: it may have been started anew with another window. */
const FRESH_MS = 60_000

/** What servers on this computer said of their models' windows. */
export interface ServedWindows {
  /** Resolves when it is known or the server does not say; at once where it was asked before, which is then repeated meanwhile now and then. */
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
