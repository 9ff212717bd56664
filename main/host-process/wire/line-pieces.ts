import { ProtocolError } from './frames.ts'

/** A piece on a carrier of a line: one byte for its kind, four for its length, then its bytes. */
const KINDS = { hello: 0, data: 1, received: 2, ping: 3, end: 4, gone: 5 } as const
export type PieceKind = keyof typeof KINDS
const NAMES = Object.keys(KINDS) as PieceKind[]
const HEAD = 5
export const MAX_PIECE = 256 * 1024

export function pieceOf(kind: PieceKind, bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(HEAD)
  head.writeUInt8(KINDS[kind], 0)
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

/** Throws a `ProtocolError` for an invalid piece, before any memory is reserved for it. */
export function readPieces(onPiece: (kind: PieceKind, bytes: Buffer) => void): (chunk: Buffer) => void {
  let held: Buffer = Buffer.alloc(0)
  return (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    while (held.length >= HEAD) {
      const kind = NAMES[held.readUInt8(0)]
      const length = held.readUInt32BE(1)
      if (kind === undefined || length > MAX_PIECE) throw new ProtocolError('A piece of the connection was not valid.')
      if (held.length < HEAD + length) return
      const bytes = held.subarray(HEAD, HEAD + length)
      held = held.subarray(HEAD + length)
      onPiece(kind, bytes)
    }
  }
}
