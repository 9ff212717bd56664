import { concatPasses } from '../../shared/lib/passes.ts'

/** Maximum time for which work blocks the event loop, in ms: about half a frame at 60 Hz. */
const SLICE_MS = 8

const waiting: (() => void)[] = []

/**
 * Waits for an iteration of the event loop. Each iteration is given to one waiter, in order, so that 20 sessions that open at the same
 * time do not add up to one long task.
 */
export function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => {
    // If input or output woke the caller, a single `setImmediate` would run in the caller's own iteration, so a second one follows.
    if (waiting.push(resolve) === 1) setImmediate(() => setImmediate(resumeFirst))
  })
}

function resumeFirst(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(resumeFirst)
}

/**
 * For long work on the main thread: await the returned function between steps. It resolves at once or, if 8 ms have passed, after an
 * iteration of the event loop.
 */
export function createSlices(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < SLICE_MS) return
    await eventLoopTurn()
    since = performance.now()
  }
}

/** Runs work that yields between its steps, like `createSlices`: other work can run whenever it yields. */
export async function runInSlices<T>(work: Iterator<unknown, T>): Promise<T> {
  const slice = createSlices()
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    await slice()
  }
}

/** Like `Buffer.concat`, but other work can run in between. The bytes must not change before it resolves. */
export const concatInSlices = (pieces: readonly Uint8Array[]): Promise<Uint8Array> => runInSlices(concatPasses(pieces))
