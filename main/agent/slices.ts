/** How long work goes on before everything else of the process has its turn, in ms: half a frame of a screen. */
const SLICE_MS = 8

/** For long work on the main thread: to be awaited between its steps. Resolves at once, or after a turn of the event loop when it has been at work for 8 ms. */
export function createSlices(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < SLICE_MS) return
    await new Promise<void>((resolve) => void setImmediate(resolve))
    since = performance.now()
  }
}
