import { StringDecoder } from 'node:string_decoder'

/** Bytes as text, characters never split. */
export interface Utf8Decoder {
  write(bytes: Buffer): string
  /** What is left of a character that did not end. */
  end(): string
  /** It may hold the beginning of a character. */
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
