/** Number of bytes of one stream of an opened program that may be on their way. */
export const STREAM_WINDOW = 256 * 1024
/** The largest piece of such a stream in one message. */
export const STREAM_PIECE = 64 * 1024

/** What the sender of a stream may still send. */
export interface StreamCredit {
  /** Call this with the number of bytes that were sent. Resolves when more may be sent. */
  spend(bytes: number): Promise<void>
  /** Call this when the receiver has taken bytes. */
  give(bytes: number): void
  /** From now on nothing waits. */
  close(): void
}

export function createStreamCredit(): StreamCredit {
  let onTheWay = 0
  let isOpen = true
  let resume: (() => void) | null = null
  const goOn = (): void => {
    resume?.()
    resume = null
  }
  return {
    spend(bytes) {
      onTheWay += bytes
      if (!isOpen || onTheWay <= STREAM_WINDOW) return Promise.resolve()
      return new Promise((resolve) => {
        resume = resolve
      })
    },
    give(bytes) {
      onTheWay = Math.max(0, onTheWay - bytes)
      if (onTheWay <= STREAM_WINDOW / 2) goOn()
    },
    close() {
      isOpen = false
      goOn()
    },
  }
}
