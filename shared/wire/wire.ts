import type { Disposable } from '../lib/disposable.ts'

/**
 * Transports plain data (structured-cloneable and JSON-safe) between two ends, in order. Messages sent before `close` arrive before the
 * other side's `onClose`. No message arrives after `onClose`.
 */
export interface Wire {
  /**
   * Does nothing once the wire is closed. Throws if the message is not plain data, and throws a `WireError` with `too_large` if it is too
   * large.
   */
  send(message: unknown): void
  /**
   * Returns null if the other side keeps up. Otherwise returns a promise that resolves when the other side has caught up or the wire
   * closes. Streams wait for this promise between items, so that a slow page slows down their source instead of filling memory. A wire
   * without this method is always ready.
   */
  ready?(): Promise<void> | null
  onMessage(listener: (message: unknown) => void): Disposable
  /** Called once, or immediately if the wire is already closed. `reason` is a message for people. */
  onClose(listener: (reason: string) => void): Disposable
  close(reason?: string): void
}
