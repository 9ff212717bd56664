import { EnvironmentFailure } from '../environment-failure.ts'

/** A NUL so early means that these bytes are no text; ripgrep and git look at the beginning in the same way. */
const BINARY_PROBE = 8000

/**
 * Bytes as text to look at, never to write back: UTF-16 by its byte order mark, else UTF-8, else Windows-1252, so that old files
 * can be read. `EINVAL` for what is no text.
 */
export function shownText(bytes: Uint8Array, path: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.subarray(0, BINARY_PROBE).includes(0)) {
    throw new EnvironmentFailure('EINVAL', `${path} is a binary file (${bytes.length} bytes), not text (EINVAL).`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
