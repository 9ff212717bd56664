import type { Disposable } from '../lib/disposable.ts'

/**
 * Carries plain data (structured-cloneable, JSON-safe) between two ends, in order. IPC, WebSocket and memory are a few lines each.
 * What was sent before a `close` still arrives before the other side's `onClose`; after it nothing does.
 */
export interface Wire {
  /** After the wire is closed nothing is sent and nothing is thrown. Throws when the message is no plain data, or `WireError` `too_large`. */
  send(message: unknown): void
  /**
   * Null while little that was sent still waits to be taken, else a promise of that (it resolves when the wire closes, too). Streams wait
   * for it between items, so that a slow page holds their source back and does not grow main. A wire without it is always ready.
   */
  ready?(): Promise<void> | null
  onMessage(listener: (message: unknown) => void): Disposable
  /** Called once; at once, if the wire is closed already. `reason` is for people. */
  onClose(listener: (reason: string) => void): Disposable
  close(reason?: string): void
}
