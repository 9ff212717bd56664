import { ProtocolError } from '../wire/frames.ts'

/** Collects raw bytes that come in pieces. Throws a `ProtocolError` if there are more than `most`. */
export function collectBytes(most: number): { readonly take: (piece: Buffer) => void; readonly all: () => Uint8Array } {
  const pieces: Buffer[] = []
  let length = 0
  return {
    take(piece) {
      length += piece.length
      if (length > most) throw new ProtocolError(`An answer had more than ${most} bytes.`)
      pieces.push(piece)
    },
    all() {
      const joined = new Uint8Array(length)
      let filled = 0
      for (const piece of pieces) {
        joined.set(piece, filled)
        filled += piece.length
      }
      return joined
    },
  }
}
