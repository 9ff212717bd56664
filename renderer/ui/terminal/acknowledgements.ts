/** So many drawn characters are acknowledged at once while more are coming: far below the 95 000 between pause and resume (DESIGN §8). */
const AT_ONCE = 16_384

/** Counts what has been handed to the terminal and drawn by it, and says so in few messages: at the latest when nothing is pending. */
export class Acknowledgements {
  readonly #send: (watcher: string, chars: number) => void
  #watcher: string | null = null
  #pending = 0
  #drawn = 0

  constructor(send: (watcher: string, chars: number) => void) {
    this.#send = send
  }

  /** A new watcher owes nothing for what an earlier one was given. */
  begin(watcher: string): void {
    this.#watcher = watcher
    this.#pending = 0
    this.#drawn = 0
  }

  /** `chars` are on their way to the screen; call what this returns when they are there. */
  take(chars: number): () => void {
    const watcher = this.#watcher
    this.#pending++
    return () => {
      if (watcher === null || watcher !== this.#watcher) return
      this.#pending--
      this.#drawn += chars
      if (this.#drawn === 0 || (this.#drawn < AT_ONCE && this.#pending > 0)) return
      const drawn = this.#drawn
      this.#drawn = 0
      this.#send(watcher, drawn)
    }
  }
}
