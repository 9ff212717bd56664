import type { SessionId } from '../../../shared/lib/ids.ts'
import type { FileChange } from '../../../shared/session/file-change.ts'
import { attempt, report } from './attempt.ts'
import type { Desk } from '../desk.ts'

/** A file as a session names it. */
export interface NamedFile {
  readonly sessionId: SessionId
  readonly path: string
}

/** Opens a file in the editor, at a line (from 1) if known; shows a notice if that fails. */
export function openInEditor(desk: Desk, { sessionId, path }: NamedFile, line: number | null = null): void {
  void report(
    desk,
    attempt(desk, 'The file was not opened', (client) => client.app.openInEditor({ sessionId, path, line })),
  )
}

/** Shows a file in the system's file manager, where the shell can. */
export function revealFile(desk: Desk, { sessionId, path }: NamedFile): void {
  void report(
    desk,
    attempt(desk, 'The file was not shown', (client) => client.app.reveal({ sessionId, path })),
  )
}

export const canReveal = (desk: Desk): boolean => desk.app.getState().hello?.capabilities.reveal === true

/** The file that the newest changing step wrote; null when there is none. Called for every key press, so it searches from the end. */
export function newestChangedFile(desk: Desk, sessionId: SessionId): FileChange | null {
  const { session } = desk.session(sessionId).store.getState()
  const changed = session?.items.findLast((item) => item.kind === 'call' && item.files.some(({ after }) => after !== null))
  return (changed?.kind === 'call' && changed.files.find(({ after }) => after !== null)) || null
}
