export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}

export interface Figure {
  readonly promise: string
  readonly value: string
  readonly method: string
}

/** Prints one row per figure, followed by its method, so that readers always see how a number was measured. */
export function print(figures: readonly Figure[], write: (text: string) => void): void {
  const width = Math.max(...figures.map((figure) => figure.promise.length))
  for (const { promise, value, method } of figures) write(`${promise.padEnd(width)}  ${value}\n${' '.repeat(width)}  ${method}\n`)
}
