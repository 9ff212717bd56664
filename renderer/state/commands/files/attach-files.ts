import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { imageTypeOf, MAX_PICTURE_BYTES, MAX_PICTURES } from '../../../../shared/session/content.ts'
import { attemptRequest } from '../attempt-request.ts'
import type { Desk } from '../../desk.ts'
import { mentionFile } from './file-actions.ts'

/**
 * Adds files to the draft message: pictures as pictures, and text, PDF files and notebooks as their text. If the shell knows that a file
 * other than a picture, or a folder, is in the session's folder, only its path is added, because the agent can read it. Main checks, reads
 * and stores the bytes. Stops at the first error and resolves to it. Resolves to null if all were added.
 */
export async function attachFiles(desk: Desk, sessionId: SessionId, files: readonly File[]): Promise<Trouble | null> {
  let trouble: Trouble | null = null
  for (const file of files) trouble ??= await takeFile(desk, sessionId, file)
  return trouble
}

async function takeFile(desk: Desk, sessionId: SessionId, file: File): Promise<Trouble | null> {
  const isPicture = await isPictureFile(file)
  const path = isPicture ? null : pathInFolder(desk, sessionId, file)
  if (path !== null) {
    mentionFile(desk, { sessionId, path })
    return null
  }
  if (file.size > MAX_PICTURE_BYTES) return tooLarge(file.name, file.size, isPicture)
  if (!isPicture) return takeText(desk, sessionId, file)
  if (desk.draftPictures.get(sessionId).length >= MAX_PICTURES) return TOO_MANY
  return attemptRequest(desk, 'The picture was not added', async (client) => {
    const kept = await client.sessions.keepPicture({ sessionId, data: await base64Of(file) })
    if (kept.ok) desk.draftPictures.add(sessionId, kept.picture)
    return kept
  })
}

/** False for a folder, which cannot be read. */
const isPictureFile = (file: File): Promise<boolean> =>
  file
    .slice(0, 64)
    .arrayBuffer()
    .then(
      (bytes) => imageTypeOf(new Uint8Array(bytes)) !== null,
      () => false,
    )

/** The path of a file within the session's folder, with slashes. Null if it is not in the folder, or if its path is unknown. */
function pathInFolder(desk: Desk, sessionId: SessionId, file: File): string | null {
  const path = desk.pathOf(file).replaceAll('\\', '/')
  const folder = `${desk.list.getState().sessions.get(sessionId)?.folder.replaceAll('\\', '/') ?? ''}/`
  return folder !== '/' && path.startsWith(folder) && path.length > folder.length ? path.slice(folder.length) : null
}

function takeText(desk: Desk, sessionId: SessionId, file: File): Promise<Trouble | null> | Trouble {
  const name = file.name.slice(-255) || 'file'
  if (file.size === 0) return empty(name)
  return attemptRequest(desk, 'The file was not added', async (client) => {
    const read = await client.sessions.readAttachment({ sessionId, name, data: await base64Of(file) })
    if (read.ok) desk.draftTexts.set(sessionId, [...desk.draftTexts.get(sessionId), read.text])
    return read
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

const KEPT = 'Your message and everything that was already added to it are kept.'

const TOO_MANY: Trouble = {
  code: 'too_many_pictures',
  what: `A message can have at most ${MAX_PICTURES} pictures.`,
  kept: 'The pictures that were already added are kept.',
  todo: 'Send these pictures, then add the others to the next message.',
}

const empty = (name: string): Trouble => ({
  code: 'not_attached',
  what: `“${name}” was not added: it is empty, or a folder.`,
  kept: KEPT,
  todo: 'Add a file that is not empty. To name a folder of the project, type @ and its name.',
})

function tooLarge(name: string, bytes: number, isPicture: boolean): Trouble {
  const size = (Math.ceil(bytes / 10_000) / 100).toFixed(2)
  const most = MAX_PICTURE_BYTES / 1e6
  return {
    code: isPicture ? 'picture_too_large' : 'not_attached',
    what: `${name === '' ? 'The file' : `“${name}”`} was not added: it is ${size} MB, and ${isPicture ? 'models accept' : 'a message can contain'} at most ${most} MB.`,
    kept: KEPT,
    todo: isPicture ? 'Make it smaller, or crop it to the part that matters.' : 'Put it into the project and name it in the message.',
  }
}
