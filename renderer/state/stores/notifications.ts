import type { SessionSummary } from '../../../shared/api/sessions.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { clipped } from '../../ui/format.ts'
import { showSession } from '../commands/actions.ts'
import type { Desk } from '../desk.ts'
import { rootOf } from '../views/families.ts'
import { isAway } from './follow-seen.ts'
import { attentionOf, type Known, needOfSession } from '../views/needs.ts'
import { type SessionList, STILL_RUNS } from './session-list.ts'
import { claimNote, isSomeWindowInFront } from './window-locks.ts'

/** What one notification says. `key` is the same in every window, and stays while the session needs the same. */
export interface SessionNote {
  readonly key: string
  readonly kind: 'needs' | 'finished'
  readonly sessionId: SessionId
  readonly title: string
  readonly body: string
}

/** Characters of a session's title in a notification: systems show about two lines. */
const LONGEST = 80

/** What the sessions have to tell their person now. A subagent's requests are told as those of the session that it works for. */
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
  for (const session of unread.flatMap((id) => sessions.get(id) ?? [])) add(session, 'finished', `ended ${session.turnEnd}`, 'Finished')
  return [...notes.values()]
}

const titleOf = ({ title }: SessionSummary): string => clipped(title, LONGEST) || 'New session'

/**
 * Tells the person, by a notification of the system, what a session begins to need or has finished while no window of ours is in front. Told
 * once, whichever window is first; what was already so when the window opened is not told.
 */
export function followNotifications(desk: Desk): void {
  let told: ReadonlyMap<string, AbortController> | null = null
  const look = (): void => {
    const { known, sessions } = desk.list.getState()
    // while main cannot be asked, what was known stays: a need that comes back with the connection is not new
    if (!known || !desk.standing.getState().known) return
    const notes = notesOf(sessions, desk.view.getState())
    const before = told
    told = new Map(notes.map(({ key }) => [key, before?.get(key) ?? new AbortController()]))
    for (const [key, controller] of before ?? []) if (!told.has(key)) controller.abort()
    if (before === null) return
    for (const note of notes) {
      const signal = told.get(note.key)?.signal
      if (!before.has(note.key) && signal) void tell(desk, note, signal)
    }
  }
  desk.list.subscribe(look)
  desk.standing.subscribe(look)
}

/** The signal aborts when the session does not need it any more. */
async function tell(desk: Desk, note: SessionNote, signal: AbortSignal): Promise<void> {
  const wanted = desk.settings.getState().settings?.settings.notifications ?? 'off'
  if (wanted === 'off' || (note.kind === 'finished' && wanted !== 'finished')) return
  if (!isAway() || (await isSomeWindowInFront())) return
  if (!(await claimNote(note.key, signal))) return
  const hello = desk.app.getState().hello
  if (hello?.shell === 'desktop') {
    const { sessionId, title, body } = note
    // nothing is lost with it: the window says the same
    if (hello.capabilities.notifications) void desk.connection.client?.app.notify({ sessionId, title, body }).catch(() => {})
  } else showOnPage(desk, note, signal)
}

function showOnPage(desk: Desk, { key, title, body, sessionId }: SessionNote, signal: AbortSignal): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return
  const shown = new Notification(title, { body, tag: key })
  shown.addEventListener('click', () => {
    window.focus()
    shown.close()
    showSession(desk, sessionId)
  })
  signal.addEventListener('abort', () => shown.close(), { once: true })
}
