import { disposable, type Disposable } from '../lib/disposable.ts'
import { Emitter } from '../lib/emitter.ts'

/** The end of a wire. It comes once, and its reason is told to all who listen, before or after it. */
export class WireEnd {
  readonly #closes = new Emitter<string>()
  #reason: string | null = null

  /** Null while the wire is open. */
  get reason(): string | null {
    return this.#reason
  }

  /** Does nothing if the wire has already ended. */
  end(reason: string): void {
    if (this.#reason !== null) return
    this.#reason = reason
    this.#closes.fire(reason)
  }

  readonly onClose = (listener: (reason: string) => void): Disposable => {
    if (this.#reason === null) return this.#closes.event(listener)
    listener(this.#reason)
    return disposable(() => {})
  }
}
