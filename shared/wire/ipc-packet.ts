import { z } from 'zod'

/** The one channel between a window and main. */
export const IPC_CHANNEL = 'countersign:wire'

/** A window says how much it has taken once in so many messages; main lets streams wait when it is far behind. */
export const TAKEN_EVERY = 64

const connection = z.string().min(1).max(80)

/**
 * What a window sends. A page names its connection itself, anew for each wire, so that what belonged to the page before a reload can
 * never be taken for its own.
 */
export const PagePacket = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open'), connection }),
  z.object({ kind: z.literal('message'), connection, body: z.unknown() }),
  z.object({ kind: z.literal('taken'), connection, count: z.number().int().positive() }),
  z.object({ kind: z.literal('close'), connection }),
])
export type PagePacket = z.infer<typeof PagePacket>

/** What main sends. */
export type MainPacket =
  | { readonly kind: 'message'; readonly connection: string; readonly body: unknown }
  | { readonly kind: 'close'; readonly connection: string; readonly reason: string }

/** What the preload gives to the page as `window.countersign`: one wire's two directions, nothing else. */
export interface PreloadBridge {
  send(packet: PagePacket): void
  /** Packets of main, from now on. */
  onMessage(listener: (packet: MainPacket) => void): void
}
