import { Buffer } from 'node:buffer'

/** The bytes of a request's body, in order. They must not change. */
export type BodyPieces = readonly Uint8Array[]

const sealed = new WeakMap<Uint8Array, BodyPieces>()

/**
 * Returns an empty body that stands for these bytes. A vendor's SDK passes it on unchanged, so that a long conversation is not concatenated
 * for each request. `piecesOf` returns the bytes.
 */
export function placeholderBody(pieces: BodyPieces): Uint8Array<ArrayBuffer> {
  const seal = new Uint8Array(0)
  sealed.set(seal, pieces)
  return seal
}

/**
 * Returns the bytes of a request's body, which may be a placeholder. Throws if the SDK copied a placeholder, because the bytes cannot be
 * found from the copy.
 */
export function piecesOf(body: RequestInit['body']): BodyPieces {
  if (typeof body === 'string') return [Buffer.from(body)]
  if (!(body instanceof Uint8Array)) return []
  const pieces = sealed.get(body)
  if (pieces === undefined && body.byteLength === 0) throw new Error('The body of a request was lost before it reached the transport.')
  return pieces ?? [body]
}
