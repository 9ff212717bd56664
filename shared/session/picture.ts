import type { BlobHash } from '../lib/ids.ts'
import type { ImagePart } from './content.ts'

/** A picture a person attached. Its bytes are in the blob store; the log names them. */
export interface Picture {
  readonly kind: 'picture'
  readonly mediaType: ImagePart['mediaType']
  readonly hash: BlobHash
  readonly bytes: number
}

/**
 * Maximum picture size that every vendor accepts. The smallest limit is Anthropic's: 5 MB of base64, that is 3.75 MB
 * (platform.claude.com/docs, "Vision", General limits). Gemini accepts requests of 20 MB in total (ai.google.dev/gemini-api/docs, "Image
 * understanding"), OpenAI more.
 */
export const MAX_PICTURE_BYTES = 3_750_000

/** Pictures per message: in requests with more than 20, Anthropic accepts only small ones (2,000 by 2,000 pixels; the same page). */
export const MAX_PICTURES = 20

/** By the bytes, not the name: the four formats every vendor accepts. Null: none of them. */
export function imageTypeOf(bytes: Uint8Array): ImagePart['mediaType'] | null {
  const starts = (...first: readonly number[]): boolean => first.every((byte, at) => bytes[at] === byte)
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (starts(0x47, 0x49, 0x46, 0x38) && (bytes[4] === 0x37 || bytes[4] === 0x39) && bytes[5] === 0x61) return 'image/gif'
  const isWebp = starts(0x52, 0x49, 0x46, 0x46) && [0x57, 0x45, 0x42, 0x50].every((byte, at) => bytes[at + 8] === byte)
  return isWebp ? 'image/webp' : null
}
