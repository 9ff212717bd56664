import type { SessionId, ToolCallId } from '../../../../shared/lib/ids.ts'
import type { FileChange } from '../../../../shared/session/file-change.ts'
import { showSession } from '../actions.ts'
import { focusWhenThere } from '../focus-when-there.ts'
import { requestOrReport } from '../attempt-request.ts'
import type { Desk } from '../../desk.ts'
import type { LineAction } from '../../../ui/diff/code-diff.tsx'
import type { LinePlace } from '../../../ui/diff/compare/compute-diff.ts'
import type { AskedLine } from '../../stores/view-store.ts'

/** A file with the path that a session uses for it. */
export interface NamedFile {
  readonly sessionId: SessionId
  readonly path: string
}

/** Opens a file in the editor, at a line (from 1) if it is known. Shows a notice if that fails. */
export function openInEditor(desk: Desk, { sessionId, path }: NamedFile, line: number | null = null): void {
  requestOrReport(desk, 'The file was not opened', (client) => client.app.openInEditor({ sessionId, path, line }))
}

/** Opens a file in the viewer, at a line (from 1) if it is known. */
export function viewFile(desk: Desk, { sessionId, path }: NamedFile, line: number | null = null): void {
  desk.view.setState({ page: 'files', file: { sessionId, path, line } })
}

/** Opens the list of files of the current session, with the file that was viewed last, and focuses the field that finds a file. */
export function findFile(desk: Desk): void {
  const { sessionId, file } = desk.view.getState()
  if (sessionId === null) return
  desk.view.setState({ page: 'files', file: file?.sessionId === sessionId ? file : null, overlay: null })
  focusWhenThere('[data-find-file] input')
}

/** Names a file, or lines of it, in the draft of the session's message, and returns to the desk. */
export function mentionFile(
  desk: Desk,
  { sessionId, path }: NamedFile,
  lines: { readonly from: number; readonly to: number } | null = null,
): void {
  const place = lines === null ? path : `${path}:${lines.from === lines.to ? lines.from : `${lines.from}-${lines.to}`}`
  const draft = desk.drafts.get(sessionId)
  const gap = draft === '' || /\s$/u.test(draft) ? '' : ' '
  desk.drafts.set(sessionId, `${draft}${gap}${/\s/u.test(place) ? `\`${place}\`` : `@${place}`} `)
  showMessage(desk, sessionId)
}

/** Returns to the desk, with the focus in the session's message field. */
export function showMessage(desk: Desk, sessionId: SessionId): void {
  showSession(desk, sessionId)
  focusWhenThere('[data-composer-text]')
}

/** Shows a file in the system's file manager. Works only in the desktop app. */
export function revealFile(desk: Desk, { sessionId, path }: NamedFile): void {
  requestOrReport(desk, 'The file was not shown', (client) => client.app.reveal({ sessionId, path }))
}

export const canReveal = (desk: Desk): boolean => desk.app.getState().hello?.capabilities.reveal === true

/**
 * The first file written by the newest step that wrote any. Null if there is none. Called for every key press, so it searches from the end.
 */
export function newestChangedFile(desk: Desk, sessionId: SessionId): FileChange | null {
  const { session } = desk.session(sessionId).store.getState()
  const changed = session?.items.findLast((item) => item.kind === 'call' && item.files.some(({ after }) => after !== null))
  return (changed?.kind === 'call' && changed.files.find(({ after }) => after !== null)) || null
}

/** Opens the full review at a line of a file that this session changed. */
function showLine(desk: Desk, asked: AskedLine): void {
  desk.view.setState({ page: 'review', undo: null, asked })
}

/** Opens the full review at a step. */
export function reviewStep(desk: Desk, step: ToolCallId): void {
  desk.view.setState({ page: 'review', undo: null, asked: { path: null, step } })
}

/**
 * The actions in the menu of a changed line. `path` is absolute. `step` is the step that made the shown version, or null if that version is
 * the newest of the session.
 */
export function lineMenuActions(desk: Desk, path: string, step: ToolCallId | null): readonly LineAction[] {
  const show = ({ side, line }: LinePlace, isWhole: boolean): void => showLine(desk, { path, side, line, step, isWhole })
  return [
    { label: 'Who wrote this line', keys: null, run: (line) => show(line, false) },
    { label: 'Show in the whole file', keys: null, run: (line) => show(line, true) },
  ]
}
