import { StringDecoder } from 'node:string_decoder'

/** A line of input, or that one was longer than `maxChars` and has been dropped. */
export type Line = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'too_long' }

/** Lines of a byte stream as UTF-8, without their ends; empty ones are left out. Holds at most `maxChars` characters and one chunk. */
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
