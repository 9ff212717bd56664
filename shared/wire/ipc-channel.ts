import type { MainPacket, PagePacket } from './ipc-packet.ts'

/** The one channel between a window and main. */
export const IPC_CHANNEL = 'countersign:wire'

/** A window says how much it has taken once in so many messages; main lets streams wait when it is far behind. */
export const TAKEN_EVERY = 64

/** What the preload gives to the page as `window.countersign`: one wire's two directions, nothing else. */
export interface PreloadBridge {
  send(packet: PagePacket): void
  /** From now on this listener, in place of an earlier one, is told of every packet of main. */
  onMessage(listener: (packet: MainPacket) => void): void
}
