import type { ImagePart } from './content.ts'

/**
 * Maximum number of pixels per side that every vendor accepts. Anthropic rejects larger pictures (platform.claude.com/docs, "Vision",
 * General limits).
 */
export const MAX_PIXELS = 8000

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** The size stated in the file. Null if the data ends before the size, or if there are no pixels. */
export function pictureSize(picture: Uint8Array, mediaType: ImagePart['mediaType']): PictureSize | null {
  const bytes = new DataView(picture.buffer, picture.byteOffset, picture.byteLength)
  const size = bytes.byteLength < SHORTEST ? null : SIZES[mediaType](bytes)
  return size && size.width > 0 && size.height > 0 ? size : null
}

/** Minimum length of a picture in bytes, so that its first fields can be read. */
const SHORTEST = 32

/** The argument for little-endian numbers, which some formats use. */
const LOW_FIRST = true

const SIZES: Readonly<Record<ImagePart['mediaType'], (bytes: DataView) => PictureSize | null>> = {
  'image/png': (bytes) => (hasPixels(bytes) ? { width: bytes.getUint32(16), height: bytes.getUint32(20) } : null),
  'image/gif': (bytes) => ({ width: bytes.getUint16(6, LOW_FIRST), height: bytes.getUint16(8, LOW_FIRST) }),
  'image/webp': webpSize,
  'image/jpeg': jpegSize,
}

/** Whether the picture has pixels. Walks the chunks up to the first chunk with pixels. */
function hasPixels(png: DataView): boolean {
  for (let at = 8; at + 8 <= png.byteLength; at += 12 + png.getUint32(at)) if (png.getUint32(at + 4) === IDAT) return true
  return false
}

const IDAT = 0x49_44_41_54

function webpSize(bytes: DataView): PictureSize | null {
  const short = (at: number): number => bytes.getUint16(at, LOW_FIRST)
  const bits = bytes.getUint32(21, LOW_FIRST)
  const three = (at: number): number => short(at) + bytes.getUint8(at + 2) * 0x1_00_00
  switch (bytes.getUint32(12)) {
    case VP8:
      return { width: short(26) % 0x4000, height: short(28) % 0x4000 }
    case VP8L:
      return { width: (bits % 0x4000) + 1, height: (Math.floor(bits / 0x4000) % 0x4000) + 1 }
    case VP8X:
      return { width: three(24) + 1, height: three(27) + 1 }
    default:
      return null
  }
}

const VP8 = 0x56_50_38_20
const VP8L = 0x56_50_38_4c
const VP8X = 0x56_50_38_58

/** Walks the segments up to the segment that starts a frame. */
function jpegSize(bytes: DataView): PictureSize | null {
  for (let at = 2; at + 9 <= bytes.byteLength;) {
    const marker = bytes.getUint8(at) === 0xff ? bytes.getUint8(at + 1) : 0xff
    if (marker === 0xff) at++
    else if (FRAMES.has(marker)) return { width: bytes.getUint16(at + 7), height: bytes.getUint16(at + 5) }
    else at += marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9) ? 2 : 2 + bytes.getUint16(at + 2)
  }
  return null
}

const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])
