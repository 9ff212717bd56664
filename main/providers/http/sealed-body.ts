import { Buffer } from 'node:buffer'

/** The bytes of a request's body in the order in which they are sent. Nothing of them changes any more. */
export type BodyPieces = readonly Uint8Array[]

const sealed = new WeakMap<Uint8Array, BodyPieces>()

/**
 * Stands for these bytes on their way through a vendor's SDK, which passes on as they are whatever looks like finished bytes: a long
 * conversation is then not copied together for each request. `piecesOf` gives them back.
 */
export function sealBody(pieces: BodyPieces): Uint8Array<ArrayBuffer> {
  const seal = new Uint8Array(0)
  sealed.set(seal, pieces)
  return seal
}

/** What stands behind the body of a request; of one that nobody sealed, its text or bytes. Throws when a seal was copied on the way: its bytes would be lost. */
export function piecesOf(body: RequestInit['body']): BodyPieces {
  if (typeof body === 'string') return [Buffer.from(body)]
  if (!(body instanceof Uint8Array)) return []
  const pieces = sealed.get(body)
  if (pieces === undefined && body.byteLength === 0) throw new Error('The body of a request was lost on its way.')
  return pieces ?? [body]
}
