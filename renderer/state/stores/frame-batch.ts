/** What a frame hands over at the latest (ms): a hidden window draws no frames, and memory must not grow for as long as nobody looks. */
const AT_LATEST_MS = 250

/** Gathers values and hands them over once per animation frame, so that a flood of deltas costs one render (DESIGN §8). */
export class FrameBatch<T> {
  readonly #flush: (values: readonly T[]) => void
  #values: T[] = []
  #cancel: (() => void) | null = null

  constructor(flush: (values: readonly T[]) => void) {
    this.#flush = flush
  }

  add(values: readonly T[]): void {
    for (const value of values) this.#values.push(value)
    if (this.#values.length > 0) this.#cancel ??= nextFrame(() => this.flush())
  }

  /** Hands over what was gathered, now. */
  flush(): void {
    const values = this.#values
    this.drop()
    if (values.length > 0) this.#flush(values)
  }

  /** Forgets what was gathered. */
  drop(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#values = []
  }
}

/** The next frame, or a moment later where none comes: a window may be hidden between now and then. */
function nextFrame(run: () => void): () => void {
  // tests of the state alone have no frames
  const frame = typeof requestAnimationFrame === 'undefined' ? 0 : requestAnimationFrame(run)
  const timer = setTimeout(run, AT_LATEST_MS)
  return () => {
    if (frame !== 0) cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
