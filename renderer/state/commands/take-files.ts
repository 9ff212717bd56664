import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { imageTypeOf, MAX_PICTURE_BYTES, MAX_PICTURES } from '../../../shared/session/content.ts'
import { attempt } from './attempt.ts'
import type { Desk } from '../desk.ts'

/** Adds files to the draft message. Main checks and stores their bytes. Null when all were added, else the first error. */
export async function takePictures(desk: Desk, sessionId: SessionId, files: readonly File[]): Promise<Trouble | null> {
  let trouble: Trouble | null = null
  for (const file of files) trouble ??= await takePicture(desk, sessionId, file)
  return trouble
}

async function takePicture(desk: Desk, sessionId: SessionId, file: File): Promise<Trouble | null> {
  if (desk.draftPictures.get(sessionId).length >= MAX_PICTURES) return TOO_MANY
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (imageTypeOf(bytes) === null) return noPicture(file.name)
  if (bytes.length > MAX_PICTURE_BYTES) return tooLarge(file.name, bytes.length)
  return attempt(desk, 'The picture was not added', async (client) => {
    const kept = await client.sessions.keepPicture({ sessionId, data: await base64Of(file) })
    if (kept.ok) desk.draftPictures.add(sessionId, kept.picture)
    return kept
  })
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result.replace(/^.*?,/, '') : ''))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read.')))
    reader.readAsDataURL(file)
  })
}

const KEPT = 'Your message and its other pictures.'

const TOO_MANY: Trouble = {
  code: 'too_many_pictures',
  what: `A message can have at most ${MAX_PICTURES} pictures.`,
  kept: 'The pictures that were already added.',
  todo: 'Send them, then add the others to the next message.',
}

function noPicture(name: string): Trouble {
  return {
    code: 'no_picture',
    what: `${name === '' ? 'That' : `“${name}”`} was not added: it is not a PNG, JPEG, GIF or WebP.`,
    kept: KEPT,
    todo: 'If it is a file of the project, name it in the message, and the agent can read it.',
  }
}

function tooLarge(name: string, bytes: number): Trouble {
  return {
    code: 'picture_too_large',
    what: `${name === '' ? 'The picture' : `“${name}”`} was not added: it is ${(Math.ceil(bytes / 10_000) / 100).toFixed(2)} MB, and models accept at most ${MAX_PICTURE_BYTES / 1e6} MB.`,
    kept: KEPT,
    todo: 'Make it smaller, or crop it to the part that matters.',
  }
}
