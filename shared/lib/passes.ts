/** Work that yields after each of its passes, so that the caller can do other work in between. */
export type Passes<T> = Generator<undefined, T>

/** Runs all passes at once. */
export function finished<T>(passes: Passes<T>): T {
  for (;;) {
    const pass = passes.next()
    if (pass.done === true) return pass.value
  }
}

/** Number of bytes that are copied in one pass, which takes less than 1 ms. */
const MAX_BYTES = 1024 * 1024
/** Number of pieces that are copied in one pass. */
const MAX_PIECES = 1024

/** The pieces as one array. They must not change before the last pass. */
export function* concatPasses(pieces: readonly Uint8Array[]): Passes<Uint8Array> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const [index, piece] of pieces.entries()) {
    if (index % MAX_PIECES === MAX_PIECES - 1) yield
    yield* copyPasses(piece, whole, at)
    at += piece.length
  }
  return whole
}

/** Copies `bytes` to the offset `at` in `target`. */
export function* copyPasses(bytes: Uint8Array, target: Uint8Array, at: number): Passes<void> {
  for (let from = 0; from < bytes.length; from += MAX_BYTES) {
    if (from > 0) yield
    target.set(bytes.subarray(from, from + MAX_BYTES), at + from)
  }
}
