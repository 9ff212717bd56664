import { randomBytes } from 'node:crypto'

/** Every process of a command inherits this variable; by it the ones are found that left the command's group. */
export const MARKER_VARIABLE = 'COUNTERSIGN_COMMAND'

/** Markers of one run of one environment: all begin with the same random word. */
export interface Markers {
  /** Found in the marker of every command of this run. */
  readonly run: string
  next(): string
}

export function createMarkers(): Markers {
  const run = randomBytes(9).toString('base64url')
  let count = 0
  return { run, next: () => `${run}.${++count}.` }
}
