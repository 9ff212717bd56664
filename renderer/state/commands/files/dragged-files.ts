import { z } from 'zod'
import { SessionId } from '../../../../shared/lib/ids.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import type { Desk } from '../../desk.ts'
import { attachFiles } from './attach-files.ts'
import { mentionFile, type NamedFile } from './file-actions.ts'

/** The data type of a drag from the file tree. */
const TYPE = 'application/x-countersign-file'
const Dragged = z.object({ sessionId: SessionId, path: z.string() })

/** Lets a file or folder be dragged into a message. Anywhere else, its path is dropped as text. */
export function dragFile({ sessionId, path }: NamedFile, transfer: DataTransfer): void {
  transfer.effectAllowed = 'copy'
  transfer.setData(TYPE, JSON.stringify({ sessionId, path }))
  transfer.setData('text/plain', path)
}

/** Whether something is dragged that can be added to a message. */
export const canBeAdded = ({ types }: DataTransfer): boolean => types.includes('Files') || types.includes(TYPE)

/**
 * Adds what was dropped to the draft message. A file from the window, or from outside if it is in the session's folder, is named in the
 * text. The content of any other file is added. Resolves to the reason why something was not added.
 */
export function addDropped(desk: Desk, sessionId: SessionId, transfer: DataTransfer): Promise<Trouble | null> {
  const dragged = draggedFile(transfer)
  if (dragged === null) return attachFiles(desk, sessionId, [...transfer.files])
  const { sessions } = desk.list.getState()
  const from = sessions.get(dragged.sessionId)?.folder
  if (from === undefined || from !== sessions.get(sessionId)?.folder) return Promise.resolve(ELSEWHERE)
  mentionFile(desk, { sessionId, path: dragged.path })
  return Promise.resolve(null)
}

/** Null if the drag does not come from a file tree. Another page may use the same type for anything. */
function draggedFile(transfer: DataTransfer): NamedFile | null {
  try {
    return Dragged.parse(JSON.parse(transfer.getData(TYPE)))
  } catch {
    return null
  }
}

const ELSEWHERE: Trouble = {
  code: 'not_attached',
  what: 'The file was not added: this session works in another folder.',
  kept: 'Your message is kept.',
  todo: 'Drop the file into a session of its own folder.',
}
