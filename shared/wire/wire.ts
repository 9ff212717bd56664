import type { Disposable } from '../lib/disposable.ts'

/** Carries plain data (structured-cloneable, JSON-safe) between two ends, in order. IPC, WebSocket and memory are a few lines each. */
export interface Wire {
  /** After the wire is closed nothing is sent and nothing is thrown. */
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): Disposable
  /** Called once; at once, if the wire is closed already. `reason` is for people. */
  onClose(listener: (reason: string) => void): Disposable
  close(reason?: string): void
}
