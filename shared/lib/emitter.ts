import { type Disposable, disposable } from './disposable.ts'

/**
 * A synchronous event. Listeners are called in the order in which they were added. A listener that is added during `fire` waits for the
 * next event.
 */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>()

  readonly event = (listener: (value: T) => void): Disposable => {
    const own = (value: T): void => listener(value)
    this.#listeners.add(own)
    return disposable(() => this.#listeners.delete(own))
  }

  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value)
  }

  get isHeard(): boolean {
    return this.#listeners.size > 0
  }
}
