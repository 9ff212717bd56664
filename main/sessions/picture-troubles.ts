import type { Trouble } from '../../shared/session/events.ts'
import { MOST_PIXELS, type PictureSize } from '../../shared/session/picture-size.ts'
import { MAX_PICTURE_BYTES, MAX_PICTURES } from '../../shared/session/picture.ts'

/** Why a picture of a message is not taken, in the three lines that the desk shows. */

const REST_KEPT = 'Everything else of the message.'
const NOT_SENT = 'The message, which was not sent.'

export const NO_PICTURE: Trouble = {
  code: 'no_picture',
  what: 'Models cannot read this picture: it is not a PNG, JPEG, GIF or WebP.',
  kept: REST_KEPT,
  todo: 'Convert it to one of these, or name the file in your message so that the agent reads it.',
}

export function pictureTooLarge(bytes: number): Trouble {
  return {
    code: 'picture_too_large',
    what: `The picture has ${megabytes(bytes)}; models take at most ${megabytes(MAX_PICTURE_BYTES)}.`,
    kept: REST_KEPT,
    todo: 'Make it smaller, or cut out the part that matters.',
  }
}

export function tooManyPixels({ width, height }: PictureSize): Trouble {
  return {
    code: 'picture_too_large',
    what: `The picture has ${width} by ${height} pixels; models take at most ${MOST_PIXELS} by ${MOST_PIXELS}.`,
    kept: REST_KEPT,
    todo: 'Make it smaller, or cut out the part that matters.',
  }
}

const megabytes = (bytes: number): string => `${(Math.ceil(bytes / 10_000) / 100).toFixed(2)} MB`

export const TOO_MANY_PICTURES: Trouble = {
  code: 'too_many_pictures',
  what: `A message takes at most ${MAX_PICTURES} pictures.`,
  kept: NOT_SENT,
  todo: 'Take some out, or send them with another message.',
}

export const PICTURE_GONE: Trouble = {
  code: 'picture_gone',
  what: 'A picture of the message can no longer be read.',
  kept: NOT_SENT,
  todo: 'Take the picture out and give it again.',
}
