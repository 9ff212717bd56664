import { z } from 'zod'

const id = z.number().int().nonnegative()

/** The frames that a client may send. Anything else is answered with `fail` (`malformed`) and otherwise ignored. */
export const ClientFrame = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), id, name: z.string().max(100), input: z.unknown() }),
  z.object({ kind: z.literal('listen'), id, name: z.string().max(100), input: z.unknown() }),
  z.object({ kind: z.literal('cancel'), id }),
])
export type ClientFrame = z.infer<typeof ClientFrame>

/**
 * Maximum size of a frame from a client, in bytes of JSON text. The client itself rejects a larger frame with `too_large` and keeps the
 * connection. If such a frame arrives nevertheless, the socket is closed (1009) without buffering the frame. The server's own frames have
 * no limit.
 */
export const MAX_FRAME_BYTES = 8 * 1024 * 1024

/** Why a call could not be made at all. The reason is a broken wire or a bug, never an expected failure. */
export type FailCode = 'malformed' | 'unknown_name' | 'invalid_input' | 'too_large' | 'internal' | 'closed'

/** The frames that a server sends. `id` is null if a client's frame had no readable id. */
export type ServerFrame =
  | { readonly kind: 'ok'; readonly id: number; readonly output: unknown }
  | { readonly kind: 'item'; readonly id: number; readonly item: unknown }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'fail'; readonly id: number | null; readonly code: FailCode; readonly message: string }

/** A call that failed because of the wire, not because of its work. */
export class WireError extends Error {
  readonly code: FailCode

  constructor(code: FailCode, message: string) {
    super(message)
    this.name = 'WireError'
    this.code = code
  }
}
