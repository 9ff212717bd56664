import { randomBytes } from 'node:crypto'

/** Every process of a command inherits this variable, so that processes that left the command's group can be found. */
export const MARKER_VARIABLE = 'COUNTERSIGN_COMMAND'

/** Markers of one environment. All of them begin with the same random word. */
export interface Markers {
  /** The beginning of every marker. */
  readonly run: string
  next(): string
}

export function createMarkers(): Markers {
  const run = randomBytes(9).toString('base64url')
  let count = 0
  return { run, next: () => `${run}.${++count}.` }
}
