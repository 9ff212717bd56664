/** Bytes that are encoded at once. */
const PIECE = 64 * 1024
const encoder = new TextEncoder()
/** Used again and again: a fresh one for each piece would be most of what is left to be collected. */
const encoded = new Uint8Array(PIECE)

/** A text as UTF-8, in pieces that hold whole characters; each is good during the call only. */
export function inUtf8(text: string, sink: (utf8: Uint8Array) => void): void {
  for (let rest = text; rest !== '';) {
    const { read, written } = encoder.encodeInto(rest, encoded)
    sink(encoded.subarray(0, written))
    rest = rest.slice(read)
  }
}
