/** How long work blocks the event loop at most, in ms: half a frame of a screen. */
const SLICE_MS = 8

/**
 * For long work on the main thread: await the returned function between steps. It resolves at once, or after a turn of the event loop
 * once 8 ms have passed.
 */
export function createSlices(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < SLICE_MS) return
    await new Promise<void>((resolve) => void setImmediate(resolve))
    since = performance.now()
  }
}
