/** Maximum delay in ms. A hidden window has no animation frames, but if its values were not delivered, memory would grow. */
const AT_LATEST_MS = 250

/** Minimum part of a backlog that a frame delivers, so that the window never falls far behind. */
const PART_PER_FRAME = 1 / 8

/**
 * Limits how many values of a kind one frame delivers, because each of them costs a render. The limit prevents a slow frame from being
 * followed by an even slower one.
 */
interface FrameLimit<T> {
  readonly isCounted: (value: T) => boolean
  readonly perFrame: number
}

/** Collects values and delivers them once per animation frame, so that many changes cost one render. */
export class FrameBatch<T> {
  readonly #flush: (values: readonly T[]) => void
  readonly #limit: FrameLimit<T> | null
  #values: T[] = []
  #cancel: (() => void) | null = null

  constructor(flush: (values: readonly T[]) => void, limit: FrameLimit<T> | null = null) {
    this.#flush = flush
    this.#limit = limit
  }

  add(values: readonly T[]): void {
    for (const value of values) this.#values.push(value)
    this.#ask()
  }

  #ask(): void {
    if (this.#values.length > 0)
      this.#cancel ??= nextFrame(
        () => this.#deliver(),
        () => this.flush(),
      )
  }

  #deliver(): void {
    const values = this.#values
    const end = endOfFrame(values, this.#limit)
    this.drop()
    this.#values = values.slice(end)
    this.#flush(values.slice(0, end))
    this.#ask()
  }

  /** Delivers the collected values at once. */
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

/** Returns the index after the last value of this frame. */
function endOfFrame<T>(values: readonly T[], limit: FrameLimit<T> | null): number {
  if (!limit) return values.length
  const counted = values.flatMap((value, index) => (limit.isCounted(value) ? [index] : []))
  return counted[Math.max(limit.perFrame, Math.ceil(counted.length * PART_PER_FRAME))] ?? values.length
}

/** The batches to deliver at the next frame. One callback delivers them all, because React renders the changes of a callback together. */
const waiting = new Set<() => void>()
let frame = 0

function drawAll(): void {
  frame = 0
  // Delivering one batch can drop another batch of the same frame. A dropped batch must not be delivered.
  for (const draw of [...waiting]) if (waiting.delete(draw)) draw()
}

/** Calls `draw` at the next frame. Calls `late` after a timeout if there is no frame, as in a hidden window. */
function nextFrame(draw: () => void, late: () => void): () => void {
  waiting.add(draw)
  // Tests of the state alone have no frames.
  if (frame === 0 && typeof requestAnimationFrame !== 'undefined') frame = requestAnimationFrame(drawAll)
  const timer = setTimeout(late, AT_LATEST_MS)
  return () => {
    clearTimeout(timer)
    waiting.delete(draw)
    if (waiting.size > 0 || frame === 0) return
    cancelAnimationFrame(frame)
    frame = 0
  }
}
