import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long reading goes on before everything else of the process has its turn, in ms: half a frame of a screen. */
const SLICE_MS = 8

/** To be awaited between the steps of a long reading: resolves at once, or after a turn of the event loop when 8 ms are over. */
export function createSlices(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < SLICE_MS) return
    await nextTurn()
    since = performance.now()
  }
}
