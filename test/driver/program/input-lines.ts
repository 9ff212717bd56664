import { StringDecoder } from 'node:string_decoder'

/** A line of input. `too_long`: a line had more than `maxChars` characters and was dropped. */
export type Line = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'too_long' }

/** The non-empty lines of a UTF-8 byte stream, without line ends. Buffers at most `maxChars` characters and one chunk. */
export async function* linesOf(input: AsyncIterable<Uint8Array>, maxChars: number): AsyncGenerator<Line, void, undefined> {
  const decoder = new StringDecoder('utf8')
  let held: string[] = []
  let chars = 0
  const line = (): Line | null => {
    const text = held.join('').replace(/\r$/u, '')
    const isTooLong = chars > maxChars
    held = []
    chars = 0
    if (isTooLong) return { kind: 'too_long' }
    return text.trim() === '' ? null : { kind: 'line', text }
  }
  const hold = (piece: string): void => {
    chars += piece.length
    if (chars <= maxChars) held.push(piece)
    else held = []
  }
  for await (const bytes of input) {
    const [first = '', ...others] = decoder.write(Buffer.from(bytes)).split('\n')
    hold(first)
    for (const piece of others) {
      const ended = line()
      if (ended) yield ended
      hold(piece)
    }
  }
  hold(decoder.end())
  const last = line()
  if (last) yield last
}
