import { Buffer } from 'node:buffer'
import type { ShownPicture } from '../../shared/api/changes/changes.ts'
import type { BlobHash, ToolCallId } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { MAX_PIXELS, pictureSize, type PictureSize } from '../../shared/session/picture-size.ts'
import { imagesOf, imageTypeOf, MAX_PICTURE_BYTES, MAX_PICTURES, type Picture } from '../../shared/session/content.ts'
import type { BlobStore } from '../agent/ports/blob-store.ts'
import type { EventLog } from '../agent/ports/event-log.ts'
import { StorageError } from '../agent/storage-error.ts'

/** Pictures that a user attaches. They are checked by their bytes, stored as blobs, and then referred to by hash. */
export interface Pictures {
  /** The picture is on disk when this returns. */
  keep(bytes: Uint8Array): Result<Picture, Trouble>
  /** The pictures that a message references. Fails if a hash is unknown or does not belong to a picture. */
  find(hashes: readonly BlobHash[]): Result<readonly Picture[], Trouble>
  /** The picture with its bytes in base64; null if there is no such picture. */
  read(hash: BlobHash): { readonly mediaType: Picture['mediaType']; readonly data: string } | null
}

export function createPictures(blobs: BlobStore): Pictures {
  const bytesOf = (hash: BlobHash): Uint8Array | null => {
    try {
      return blobs.has(hash) ? blobs.get(hash) : null
    } catch (error) {
      if (error instanceof StorageError) return null
      throw error
    }
  }
  return {
    keep(bytes) {
      const judged = judgedPicture(bytes)
      if (!judged.ok) return judged
      try {
        return ok({ kind: 'picture', mediaType: judged.value, hash: blobs.put(bytes), bytes: bytes.length })
      } catch (error) {
        if (error instanceof StorageError) return failed(error.trouble)
        throw error
      }
    },
    find(hashes) {
      const wanted = [...new Set(hashes)]
      if (wanted.length > MAX_PICTURES) return failed(TOO_MANY_PICTURES)
      const found: Picture[] = []
      for (const hash of wanted) {
        const bytes = bytesOf(hash)
        const judged = bytes && judgedPicture(bytes)
        if (!bytes || !judged?.ok) return failed(PICTURE_GONE)
        found.push({ kind: 'picture', mediaType: judged.value, hash, bytes: bytes.length })
      }
      return ok(found)
    },
    read(hash) {
      const bytes = bytesOf(hash)
      const mediaType = bytes && imageTypeOf(bytes)
      return mediaType ? { mediaType, data: Buffer.from(bytes).toString('base64') } : null
    },
  }
}

/** Maximum number of pixels of a picture that is shown, because the window needs four bytes for each. */
const MAX_SHOWN_PIXELS = 50_000_000

/** A picture in the form that a window shows. Null if the bytes are in none of the four formats, are damaged, or are too large. */
export function shownPicture(bytes: Uint8Array): ShownPicture | null {
  const mediaType = bytes.length > MAX_PICTURE_BYTES ? null : imageTypeOf(bytes)
  const size = mediaType && pictureSize(bytes, mediaType)
  if (!mediaType || !size || size.width * size.height > MAX_SHOWN_PIXELS) return null
  return { mediaType, data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64') }
}

/** The picture with this index (from 0) in a call's result. Null if there is none that can be shown. */
export function resultPicture(log: Pick<EventLog, 'read'>, call: ToolCallId, index: number): ShownPicture | null {
  for (const { event } of log.read({ call })) {
    if (event.kind !== 'TOOL_CALL_END') continue
    const image = imagesOf(event.modelText)[index]
    return image ? shownPicture(Buffer.from(image.data, 'base64')) : null
  }
  return null
}

function judgedPicture(bytes: Uint8Array): Result<Picture['mediaType'], Trouble> {
  const mediaType = imageTypeOf(bytes)
  if (mediaType === null) return failed(NO_PICTURE)
  if (bytes.length > MAX_PICTURE_BYTES) return failed(pictureTooLarge(bytes.length))
  const size = pictureSize(bytes, mediaType)
  return size && Math.max(size.width, size.height) > MAX_PIXELS ? failed(tooManyPixels(size)) : ok(mediaType)
}

const REST_KEPT = 'The rest of the message is kept.'
const NOT_SENT = 'The message is kept. It was not sent.'

const NO_PICTURE: Trouble = {
  code: 'no_picture',
  what: 'Models cannot read this picture: it is not a PNG, JPEG, GIF or WebP.',
  kept: REST_KEPT,
  todo: 'Convert it to one of these, or name the file in your message so that the agent reads it.',
}

export function pictureTooLarge(bytes: number): Trouble {
  return {
    code: 'picture_too_large',
    what: `The picture is ${megabytes(bytes)}, but models accept at most ${megabytes(MAX_PICTURE_BYTES)}.`,
    kept: REST_KEPT,
    todo: 'Make it smaller, or crop it to the part that matters.',
  }
}

function tooManyPixels({ width, height }: PictureSize): Trouble {
  return {
    code: 'picture_too_large',
    what: `The picture is ${width} by ${height} pixels, but models accept at most ${MAX_PIXELS} by ${MAX_PIXELS}.`,
    kept: REST_KEPT,
    todo: 'Make it smaller, or crop it to the part that matters.',
  }
}

const megabytes = (bytes: number): string => `${(Math.ceil(bytes / 10_000) / 100).toFixed(2)} MB`

const TOO_MANY_PICTURES: Trouble = {
  code: 'too_many_pictures',
  what: `A message can have at most ${MAX_PICTURES} pictures.`,
  kept: NOT_SENT,
  todo: 'Remove some pictures, or send them with another message.',
}

const PICTURE_GONE: Trouble = {
  code: 'picture_gone',
  what: 'One of the message’s pictures can no longer be read.',
  kept: NOT_SENT,
  todo: 'Remove the picture and add it again.',
}
