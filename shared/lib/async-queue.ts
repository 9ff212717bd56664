/**
 * An unbounded queue with one consumer. The iterator returns pushed values in order, and none is lost between two reads. `end` finishes
 * the iteration after the values that were pushed. `fail` makes it throw. Leaving the loop early calls `onReturn`.
 */
export class AsyncQueue<T> implements AsyncIterable<T> {
  #values: T[] = []
  /** The index of the next value. Removing the first value of a long array would move all others each time. */
  #head = 0
  #waiting: { resolve(result: IteratorResult<T>): void; reject(error: unknown): void } | null = null
  #done: { readonly error: unknown } | null = null
  readonly #onReturn: () => void

  constructor(onReturn: () => void = () => {}) {
    this.#onReturn = onReturn
  }

  push(value: T): void {
    if (this.#done) return
    if (this.#waiting) this.#take()?.resolve({ value, done: false })
    else this.#values.push(value)
  }

  end(): void {
    this.#finish(null)
  }

  fail(error: unknown): void {
    this.#finish({ error })
  }

  #finish(failure: { readonly error: unknown } | null): void {
    if (this.#done) return
    this.#done = failure ?? { error: undefined }
    const waiting = this.#take()
    if (failure && waiting) {
      waiting.reject(failure.error)
      this.#done = { error: undefined }
    } else waiting?.resolve({ value: undefined, done: true })
  }

  #take() {
    const waiting = this.#waiting
    this.#waiting = null
    return waiting
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    return {
      next: () => this.#next(),
      return: () => {
        this.#values = []
        this.#head = 0
        this.end()
        this.#onReturn()
        return Promise.resolve({ value: undefined, done: true })
      },
    }
  }

  #shift(): T {
    const value = this.#values[this.#head++] as T
    if (this.#head === this.#values.length || (this.#head > 1024 && this.#head * 2 > this.#values.length)) {
      this.#values = this.#values.slice(this.#head)
      this.#head = 0
    }
    return value
  }

  #next(): Promise<IteratorResult<T>> {
    if (this.#head < this.#values.length) return Promise.resolve({ value: this.#shift(), done: false })
    if (this.#done) {
      const { error } = this.#done
      this.#done = { error: undefined }
      return error === undefined ? Promise.resolve({ value: undefined, done: true }) : Promise.reject(error)
    }
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }
}
