/**
 * An unbounded queue with one consumer: pushed values come out of the iterator in order, none is lost between two reads.
 * `end` finishes the iteration after what was pushed; `fail` makes it throw. Leaving the loop early calls `onReturn`.
 */
export class AsyncQueue<T> implements AsyncIterable<T> {
  readonly #values: T[] = []
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
        this.#values.length = 0
        this.end()
        this.#onReturn()
        return Promise.resolve({ value: undefined, done: true })
      },
    }
  }

  #next(): Promise<IteratorResult<T>> {
    const value = this.#values.shift()
    if (value !== undefined) return Promise.resolve({ value, done: false })
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
