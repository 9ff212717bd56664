/** While output keeps arriving, it is processed for `WORK_MS`, and then only read for `REST_MS`, so that the command is not slowed down. */
const WORK_MS = 4
const REST_MS = 12
/** If more than `full` bytes are waiting, the source should pause. Below `low`, it may resume. */
const WAITING = { full: 16 * 1024 * 1024, low: 8 * 1024 * 1024 } as const

/**
 * Waiting pieces are joined into blocks of this many bytes. A pty delivers 4 KB at a time, and what is done once per piece would cost more
 * than what is done with its bytes.
 */
const BLOCK = 64 * 1024
/** The processed blocks are removed from the queue once there are this many of them. */
const FEWEST_FORGOTTEN = 64

/** Waiting output. Its first `length` bytes are filled. */
interface Block {
  readonly bytes: Buffer
  length: number
}

/**
 * Holds a command’s output until it is processed, so that a fast command does not wait for the processing. Output of a slow command is
 * processed as soon as it arrives.
 */
export class OutputQueue {
  readonly #take: (bytes: Buffer) => void
  readonly #onFull: (isFull: boolean) => void
  #waiting: (Block | (() => void))[] = []
  #next = 0
  #bytes = 0
  #workBegan = Number.NEGATIVE_INFINITY
  #hasArrived = false
  #isFull = false
  #isHeld = false
  #timer: NodeJS.Timeout | undefined
  #ended: PromiseWithResolvers<void> | null = null

  /**
   * `take` is called with all bytes, in order. The bytes are valid only during the call. `onFull`: true if the source should pause, false if
   * it may resume.
   */
  constructor(take: (bytes: Buffer) => void, onFull: (isFull: boolean) => void) {
    this.#take = take
    this.#onFull = onFull
  }

  /** Keeps no reference to `bytes`. */
  write(bytes: Buffer): void {
    this.#hasArrived = true
    if (this.#isEmpty && this.#mayWork()) return this.#take(bytes)
    this.#wait(bytes)
    this.#bytes += bytes.length
    if (this.#bytes > WAITING.full) this.#tellFull(true)
    this.#workSoon()
  }

  /** While it is held, what is written waits, even at the end. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld
    if (!isHeld && !this.#isEmpty) this.#workSoon()
  }

  /** Calls `work` after everything that was written before it. */
  after(work: () => void): void {
    if (this.#isEmpty) work()
    else this.#waiting.push(work)
  }

  /** Resolves when everything has been processed, which now happens without pauses. */
  end(): Promise<void> {
    if (this.#isEmpty) return Promise.resolve()
    this.#ended ??= Promise.withResolvers<void>()
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#workSoon()
    return this.#ended.promise
  }

  #wait(bytes: Buffer): void {
    const last = this.#isEmpty ? undefined : this.#waiting.at(-1)
    let copied = 0
    if (typeof last === 'object' && last.length < BLOCK) {
      copied = bytes.copy(last.bytes, last.length)
      last.length += copied
    }
    for (; copied < bytes.length; copied += BLOCK) {
      const block = { bytes: Buffer.allocUnsafeSlow(BLOCK), length: Math.min(BLOCK, bytes.length - copied) }
      bytes.copy(block.bytes, 0, copied)
      this.#waiting.push(block)
    }
  }

  get #isEmpty(): boolean {
    return this.#next === this.#waiting.length
  }

  #mayWork(): boolean {
    if (this.#isHeld) return false
    const now = performance.now()
    if (now >= this.#workBegan + WORK_MS + REST_MS) this.#workBegan = now
    return now < this.#workBegan + WORK_MS
  }

  #workSoon(): void {
    if (this.#isHeld) return
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
      while (!this.#isEmpty && !this.#isHeld && performance.now() < this.#workBegan + WORK_MS)
    } finally {
      // Also after an exception, because the end of the command waits for the remaining output.
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

  /** Without this, the queue would grow for as long as output arrives faster than it is processed. */
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
    this.#take(one.bytes.subarray(0, one.length))
  }

  #tellFull(isFull: boolean): void {
    if (isFull === this.#isFull) return
    this.#isFull = isFull
    this.#onFull(isFull)
  }
}

/** Replaces processed blocks in the queue, so that their memory can be freed. */
const NOTHING: Block = { bytes: Buffer.alloc(0), length: 0 }
