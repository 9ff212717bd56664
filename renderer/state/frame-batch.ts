/**
 * Gathers values and hands them over once per animation frame, so that a flood of deltas costs one render (DESIGN §8). A hidden window
 * draws no frames: there they are handed over every 250 ms, or memory would grow for as long as nobody looks.
 */
export class FrameBatch<T> {
  readonly #flush: (values: readonly T[]) => void
  #values: T[] = []
  #cancel: (() => void) | null = null

  constructor(flush: (values: readonly T[]) => void) {
    this.#flush = flush
  }

  push(...values: readonly T[]): void {
    this.#values.push(...values)
    this.#cancel ??= nextFrame(() => this.flush())
  }

  /** Hands over what was gathered, now. */
  flush(): void {
    this.#cancel?.()
    this.#cancel = null
    const values = this.#values
    if (values.length === 0) return
    this.#values = []
    this.#flush(values)
  }

  /** Drops what was gathered. */
  dispose(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#values = []
  }
}

const HIDDEN_MS = 250

function nextFrame(run: () => void): () => void {
  if (document.hidden) {
    const timer = setTimeout(run, HIDDEN_MS)
    return () => clearTimeout(timer)
  }
  const frame = requestAnimationFrame(run)
  return () => cancelAnimationFrame(frame)
}
