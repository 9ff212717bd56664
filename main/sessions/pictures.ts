import { Buffer } from 'node:buffer'
import type { BlobHash } from '../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { MOST_PIXELS, pictureSize } from '../../shared/session/picture-size.ts'
import { imageTypeOf, MAX_PICTURE_BYTES, MAX_PICTURES, type Picture } from '../../shared/session/picture.ts'
import type { BlobStore } from '../agent/ports/event-log.ts'
import { StorageError } from '../agent/storage-error.ts'
import { NO_PICTURE, PICTURE_GONE, pictureTooLarge, TOO_MANY_PICTURES, tooManyPixels } from './picture-troubles.ts'

/** Pictures on their way from a person to the agent: judged by their bytes, kept in the blob store, named by hash from then on. */
export interface Pictures {
  /** On disk when it returns. */
  keep(bytes: Uint8Array): Result<Picture, Trouble>
  /** Those that a message names. A hash names no picture when nothing, or something else, has it. */
  find(hashes: readonly BlobHash[]): Result<readonly Picture[], Trouble>
  /** As base64; null: there is no such picture. */
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

function judgedPicture(bytes: Uint8Array): Result<Picture['mediaType'], Trouble> {
  const mediaType = imageTypeOf(bytes)
  if (mediaType === null) return failed(NO_PICTURE)
  if (bytes.length > MAX_PICTURE_BYTES) return failed(pictureTooLarge(bytes.length))
  const size = pictureSize(bytes, mediaType)
  return size && Math.max(size.width, size.height) > MOST_PIXELS ? failed(tooManyPixels(size)) : ok(mediaType)
}
