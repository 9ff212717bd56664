import { Buffer } from 'node:buffer'
import type { ImagePart } from '../../shared/session/content.ts'

/** Pixels of a side that every vendor takes: Anthropic refuses more (platform.claude.com/docs, "Vision", General limits). */
export const MOST_PIXELS = 8000

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** By the picture's own words. Null: they end before it says one, or it has no pixel. */
export function pictureSize(picture: Uint8Array, mediaType: ImagePart['mediaType']): PictureSize | null {
  const bytes = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength)
  const size = bytes.length < SHORTEST ? null : SIZES[mediaType](bytes)
  return size && size.width > 0 && size.height > 0 ? size : null
}

/** No picture is as short as that, so its first fields can be read. */
const SHORTEST = 32

const SIZES: Readonly<Record<ImagePart['mediaType'], (bytes: Buffer) => PictureSize | null>> = {
  'image/png': (bytes) => (bytes.includes('IDAT', 12, 'latin1') ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null),
  'image/gif': (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  'image/webp': webpSize,
  'image/jpeg': jpegSize,
}

function webpSize(bytes: Buffer): PictureSize | null {
  const [low, high] = [bytes.readUInt16LE(26) % 0x4000, bytes.readUInt16LE(28) % 0x4000]
  const bits = bytes.readUInt32LE(21)
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: low, height: high }
    case 'VP8L':
      return { width: (bits % 0x4000) + 1, height: (Math.floor(bits / 0x4000) % 0x4000) + 1 }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}

/** From segment to segment, up to the one that begins a frame. */
function jpegSize(bytes: Buffer): PictureSize | null {
  for (let at = 2; at + 9 <= bytes.length;) {
    const marker = bytes[at] === 0xff ? (bytes[at + 1] ?? 0) : 0xff
    if (marker === 0xff) at++
    else if (FRAMES.has(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    else at += marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9) ? 2 : 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])
