import { z } from 'zod'

/** The only channel between a window and main. */
export const IPC_CHANNEL = 'countersign:wire'

/** A window acknowledges the messages that it receives in groups of this size, so that main can pause streams for a slow window. */
export const TAKEN_EVERY = 64

/** What the preload exposes as `window.countersign`: both directions of one wire, and the paths of files that the user gives to the page. */
export interface PreloadBridge {
  send(packet: PagePacket): void
  /** Sets the listener for packets from main. A listener that was set earlier is replaced. */
  onMessage(listener: (packet: MainPacket) => void): void
  /** The path of a `File` that the user dropped or chose. Empty if it has none, for example if it comes from the clipboard. */
  pathOf(file: object): string
}

const connection = z.string().min(1).max(80)

/**
 * The packets that a window sends. A page chooses a new connection id for each wire, so that packets for the page before a reload never
 * reach the new page.
 */
export const PagePacket = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open'), connection }),
  z.object({ kind: z.literal('message'), connection, body: z.unknown() }),
  z.object({ kind: z.literal('taken'), connection, count: z.number().int().positive() }),
  z.object({ kind: z.literal('close'), connection }),
])
export type PagePacket = z.infer<typeof PagePacket>

/** The packets that main sends. */
export type MainPacket =
  | { readonly kind: 'message'; readonly connection: string; readonly body: unknown }
  | { readonly kind: 'close'; readonly connection: string; readonly reason: string }
