/**
 * Once this many drawn characters are unacknowledged, they are acknowledged even if more characters are pending. It must be far below
 * 100,000: with more unacknowledged characters, main skips output.
 */
const AT_ONCE = 16_384

/**
 * Counts the characters that the terminal has drawn and acknowledges them in batches: when there are enough of them, or when no more are
 * being drawn.
 */
export class Acknowledgements {
  readonly #send: (watcher: string, chars: number) => void
  #watcher: string | null = null
  #pending = 0
  #drawn = 0

  constructor(send: (watcher: string, chars: number) => void) {
    this.#send = send
  }

  /** Starts counting from zero for a new watcher. */
  begin(watcher: string): void {
    this.#watcher = watcher
    this.#pending = 0
    this.#drawn = 0
  }

  /** Must be called when `chars` characters are being drawn. The returned function must be called when they are drawn. */
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
