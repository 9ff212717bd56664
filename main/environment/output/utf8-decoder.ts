import { StringDecoder } from 'node:string_decoder'

/** Decodes bytes to text without splitting characters. */
export interface Utf8Decoder {
  write(bytes: Buffer): string
  /** The rest of an unfinished character, as U+FFFD. */
  end(): string
  /** True if it may hold an unfinished character. */
  readonly isInside: boolean
}

export function createUtf8Decoder(): Utf8Decoder {
  // Twice as fast as a TextDecoder in its streaming mode.
  const decoder = new StringDecoder('utf8')
  let isInside = false
  return {
    write(bytes) {
      if (bytes.length > 0) isInside = (bytes.at(-1) ?? 0) >= 0x80
      return decoder.write(bytes)
    },
    end: () => decoder.end(),
    get isInside() {
      return isInside
    },
  }
}
