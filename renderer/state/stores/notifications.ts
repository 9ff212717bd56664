import type { SessionSummary } from '../../../shared/api/sessions.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { clipped } from '../../ui/format.ts'
import { showSession } from '../commands/actions.ts'
import type { Desk } from '../desk.ts'
import { rootOf } from '../views/session-families.ts'
import { isAway } from './follow-seen.ts'
import { attentionOf, type Known, needOfSession } from '../views/session-needs.ts'
import { type SessionList, STILL_RUNS } from './session-list.ts'
import { claimNote, isSomeWindowInFront } from './window-locks.ts'

/** One notification. `key` is the same in all windows and does not change for the same need. */
export interface SessionNote {
  readonly key: string
  readonly kind: 'needs' | 'finished'
  readonly sessionId: SessionId
  readonly title: string
  readonly body: string
}

/** Maximum number of characters of a session title in a notification. Systems show about two lines. */
const LONGEST = 80

/** The current notifications of all sessions. A subagent's request belongs to its root session. */
export function notesOf(sessions: SessionList['sessions'], known: Known): readonly SessionNote[] {
  const notes = new Map<string, SessionNote>()
  const add = (session: SessionSummary, kind: SessionNote['kind'], at: string, body: string): void => {
    const root = sessions.get(rootOf(sessions, session.sessionId)) ?? session
    const key = `${root.sessionId} ${at}`
    if (!notes.has(key)) notes.set(key, { key, kind, sessionId: root.sessionId, title: titleOf(root), body })
  }
  const { needs, unread } = attentionOf(sessions.values(), known)
  for (const session of needs.flatMap((id) => sessions.get(id) ?? [])) {
    if (session.need === STILL_RUNS) continue
    if (session.need === null) add(session, 'needs', `ended ${session.turnEnd}`, needOfSession(session, known) ?? '')
    else add(session, 'needs', 'asks', `Needs you: ${session.need}`)
  }
  for (const session of unread.flatMap((id) => sessions.get(id) ?? [])) {
    const { failedCommand, turnEnd } = session
    if (failedCommand && failedCommand.seq > turnEnd) add(session, 'needs', `failed ${failedCommand.seq}`, failedCommand.words)
    else add(session, 'finished', `ended ${turnEnd}`, 'Finished')
  }
  return [...notes.values()]
}

const titleOf = ({ title }: SessionSummary): string => clipped(title, LONGEST) || 'New session'

/**
 * Shows a system notification when a session starts to need the user or finishes, if none of our windows has the focus. Only one window
 * shows it. Needs that existed when the window opened are not shown.
 */
export function followNotifications(desk: Desk): void {
  let active: ReadonlyMap<string, AbortController> | null = null
  const look = (): void => {
    const { known, sessions } = desk.list.getState()
    // While disconnected, the known needs are kept, so that they do not count as new after the reconnection.
    if (!known || !desk.commandTerminals.getState().known) return
    const notes = notesOf(sessions, desk.view.getState())
    const before = active
    active = new Map(notes.map(({ key }) => [key, before?.get(key) ?? new AbortController()]))
    for (const [key, controller] of before ?? []) if (!active.has(key)) controller.abort()
    if (before === null) return
    for (const note of notes) {
      const signal = active.get(note.key)?.signal
      if (!before.has(note.key) && signal) void tell(desk, note, signal)
    }
  }
  desk.list.subscribe(look)
  desk.commandTerminals.subscribe(look)
}

/** Shows a notification in one window if the user wants it. `signal` aborts when the reason for the notification is over. */
async function tell(desk: Desk, note: SessionNote, signal: AbortSignal): Promise<void> {
  const wanted = desk.settings.getState().settings?.settings.notifications ?? 'off'
  if (wanted === 'off' || (note.kind === 'finished' && wanted !== 'finished')) return
  if (!isAway() || (await isSomeWindowInFront())) return
  if (!(await claimNote(note.key, signal))) return
  const hello = desk.app.getState().hello
  if (hello?.shell === 'desktop') {
    const { sessionId, title, body } = note
    // A failure does no harm, because the window shows the same facts.
    if (hello.capabilities.notifications) void desk.connection.client?.app.notify({ sessionId, title, body }).catch(() => {})
  } else showOnPage(desk, note, signal)
}

function showOnPage(desk: Desk, { key, title, body, sessionId }: SessionNote, signal: AbortSignal): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return
  const shown = new Notification(title, { body, tag: key })
  shown.addEventListener('click', () => {
    window.focus()
    shown.close()
    // The second click of a double click, or a key pressed at the same moment, must not sign the request that has just come into view.
    desk.signing.moved()
    showSession(desk, sessionId)
  })
  signal.addEventListener('abort', () => shown.close(), { once: true })
}
