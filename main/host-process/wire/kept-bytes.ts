import { ProtocolError } from './frames.ts'

/** Bytes that were sent and are kept until the other side has confirmed them. */
export interface KeptBytes {
  readonly size: number
  add(piece: Buffer): void
  /** `total`: the number of bytes that the other side has received in all. Throws a `ProtocolError` if the number is impossible. */
  confirm(total: number): void
  pieces(): readonly Buffer[]
  clear(): void
}

export function keepBytes(): KeptBytes {
  let kept: Buffer[] = []
  let size = 0
  let confirmed = 0
  return {
    get size() {
      return size
    },
    add(piece) {
      kept.push(piece)
      size += piece.length
    },
    confirm(total) {
      if (!(total >= confirmed && total <= confirmed + size)) throw new ProtocolError('A confirmation was not valid.')
      let done = total - confirmed
      confirmed = total
      size -= done
      while (done > 0) {
        const [first] = kept
        if (!first) return
        if (first.length <= done) kept.shift()
        else kept[0] = first.subarray(done)
        done -= Math.min(first.length, done)
      }
    },
    pieces: () => kept,
    clear() {
      kept = []
      size = 0
    },
  }
}
