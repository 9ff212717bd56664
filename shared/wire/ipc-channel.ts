import type { MainPacket, PagePacket } from './ipc-packet.ts'

/** The one channel between a window and main. */
export const IPC_CHANNEL = 'countersign:wire'

/** A window acknowledges its messages in groups of this size, so that main can pause streams for a window that is far behind. */
export const TAKEN_EVERY = 64

/** What the preload exposes as `window.countersign`: both directions of one wire, nothing else. */
export interface PreloadBridge {
  send(packet: PagePacket): void
  /** Sets the listener for packets from main; it replaces an earlier one. */
  onMessage(listener: (packet: MainPacket) => void): void
}
