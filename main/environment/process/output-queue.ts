/** While output keeps coming, this many ms of work on it are followed by a rest in which it is only read, so that the command is not slowed. */
const WORK_MS = 4
const REST_MS = 12
/** If more than `full` bytes wait, the source should pause. If there are fewer than `low`, it may resume. */
const WAITING = { full: 16 * 1024 * 1024, low: 8 * 1024 * 1024 } as const

/** Number of taken pieces from which on their places are given up. */
const FEWEST_FORGOTTEN = 1024

/** Output between its arrival and the work on it. Output that comes slowly is worked on at once. */
export class OutputQueue {
  readonly #take: (bytes: Buffer) => void
  readonly #onFull: (isFull: boolean) => void
  #waiting: (Buffer | (() => void))[] = []
  #next = 0
  #bytes = 0
  #workBegan = Number.NEGATIVE_INFINITY
  #hasArrived = false
  #isFull = false
  #timer: NodeJS.Timeout | undefined
  #ended: PromiseWithResolvers<void> | null = null

  /** `take` is called with all bytes, in order. `onFull`: true if the source should pause, false if it may resume. */
  constructor(take: (bytes: Buffer) => void, onFull: (isFull: boolean) => void) {
    this.#take = take
    this.#onFull = onFull
  }

  write(bytes: Buffer): void {
    this.#hasArrived = true
    if (this.#isEmpty && this.#mayWork()) return this.#take(bytes)
    this.#waiting.push(bytes)
    this.#bytes += bytes.length
    if (this.#bytes > WAITING.full) this.#tellFull(true)
    this.#workSoon()
  }

  /** Calls `work` after everything that was written before it. */
  after(work: () => void): void {
    if (this.#isEmpty) work()
    else this.#waiting.push(work)
  }

  /** Resolves when everything has been taken. From now on there is no rest. */
  end(): Promise<void> {
    if (this.#isEmpty) return Promise.resolve()
    this.#ended ??= Promise.withResolvers<void>()
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#workSoon()
    return this.#ended.promise
  }

  get #isEmpty(): boolean {
    return this.#next === this.#waiting.length
  }

  #mayWork(): boolean {
    const now = performance.now()
    if (now >= this.#workBegan + WORK_MS + REST_MS) this.#workBegan = now
    return now < this.#workBegan + WORK_MS
  }

  #workSoon(): void {
    const rests = this.#hasArrived && !this.#isFull && this.#ended === null
    const wait = rests ? Math.max(0, this.#workBegan + WORK_MS + REST_MS - performance.now()) : 0
    this.#timer ??= setTimeout(() => this.#work(), wait)
  }

  #work(): void {
    this.#timer = undefined
    this.#hasArrived = false
    this.#workBegan = performance.now()
    try {
      do this.#takeNext()
      while (!this.#isEmpty && performance.now() < this.#workBegan + WORK_MS)
    } finally {
      // Also after a bug in the work, because the command's end waits for the rest.
      this.#goOn()
    }
  }

  #goOn(): void {
    if (this.#bytes < WAITING.low) this.#tellFull(false)
    if (!this.#isEmpty) {
      this.#forgetTaken()
      return this.#workSoon()
    }
    this.#waiting = []
    this.#next = 0
    this.#ended?.resolve()
  }

  /** Output that comes faster than the work would otherwise leave ever more empty places. */
  #forgetTaken(): void {
    if (this.#next < FEWEST_FORGOTTEN || this.#next * 2 < this.#waiting.length) return
    this.#waiting.splice(0, this.#next)
    this.#next = 0
  }

  #takeNext(): void {
    const one = this.#waiting[this.#next]
    this.#waiting[this.#next] = NOTHING
    this.#next += 1
    if (typeof one === 'function') return one()
    if (one === undefined) return
    this.#bytes -= one.length
    this.#take(one)
  }

  #tellFull(isFull: boolean): void {
    if (isFull === this.#isFull) return
    this.#isFull = isFull
    this.#onFull(isFull)
  }
}

/** Stands where taken bytes were, so that their memory can be freed. */
const NOTHING = Buffer.alloc(0)
