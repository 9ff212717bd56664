import type { Connected, Connection } from './wire.ts'

/** A seed gives the same faults each time: xorshift, from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_761 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** Splits everything, delays each piece unless 3 divides the seed, stalls now and then, and cuts a connection after a random number of bytes. */
export function faults(seed: number): { readonly connection: (connected: Connected) => Connection; readonly cuts: () => number } {
  const random = randomFrom(seed)
  const delayMs = [0, 25, 100][seed % 3] ?? 0
  let cuts = 0
  return {
    cuts: () => cuts,
    connection({ isFirst, cut }) {
      let isReady = !isFirst
      // A few connections last, so that the session ends.
      let left = cuts < 6 ? 500 + random() * 40_000 : Infinity
      return {
        onMessage({ message: { kind } }) {
          if (kind === 'ready') isReady = true
        },
        split(chunk) {
          const pieces: Buffer[] = []
          for (let from = 0; from < chunk.length;) {
            const length = 1 + Math.floor(random() ** 4 * 3_000)
            pieces.push(chunk.subarray(from, from + length))
            from += length
          }
          return pieces
        },
        delayMs: () => (random() < 0.002 ? 400 : delayMs * random()),
        onPassed(bytes) {
          if (isReady) left -= bytes
          if (left > 0) return
          left = Infinity
          cuts += 1
          cut()
        },
      }
    },
  }
}
