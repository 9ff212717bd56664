/** Maximum delay (ms): a hidden window has no animation frames, and memory must not grow meanwhile. */
const AT_LATEST_MS = 250

/** Collects values and delivers them once per animation frame, so that many changes cost one render. */
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

  /** Delivers the collected values now. */
  flush(): void {
    const values = this.#values
    this.drop()
    if (values.length > 0) this.#flush(values)
  }

  /** Discards the collected values. */
  drop(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#values = []
  }
}

/** Runs at the next frame, or after a timeout if there is none, as in a hidden window. */
function nextFrame(run: () => void): () => void {
  // tests of the state alone have no frames
  const frame = typeof requestAnimationFrame === 'undefined' ? 0 : requestAnimationFrame(run)
  const timer = setTimeout(run, AT_LATEST_MS)
  return () => {
    if (frame !== 0) cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
