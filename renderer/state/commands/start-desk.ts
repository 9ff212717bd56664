import { openFolder, showSession, showSettings } from './actions.ts'
import { report } from './attempt-request.ts'
import { paletteCommands } from './palette-commands.ts'
import type { Desk } from '../desk.ts'
import { sessionsInNeed } from '../views/session-needs.ts'
import type { AskedToShow } from '../../../shared/api/app.ts'
import { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'

/**
 * Chooses what a window shows first, in this order: what it showed before a reload, the folder from the command line, the session that
 * needs the user, the most recent session, the start page.
 */
export function startDesk(desk: Desk): void {
  const decide = (): void => {
    const { hello } = desk.app.getState()
    const { known, sessions } = desk.list.getState()
    if (!hello || !known) return
    stops.forEach((stop) => stop())
    const { sessionId, ...seen } = desk.view.getState()
    if (sessionId !== null && sessions.has(sessionId)) return
    const own = [...sessions.values()].filter(({ parent }) => parent === null)
    const newest = own.toSorted((a, b) => b.cursor - a.cursor)[0]
    const first = hello.openFolder === null ? (sessionsInNeed(sessions.values(), seen)[0] ?? newest) : undefined
    // `showSession` is not called, because it would close a dialog that was opened while the sessions were loading.
    desk.view.setState({ sessionId: first?.sessionId ?? null })
    if (hello.openFolder !== null) void report(desk, openFolder(desk, hello.openFolder, 'page'))
  }
  const stops = [desk.app.subscribe(decide), desk.list.subscribe(decide)]
  decide()
}

/**
 * Shows the requested session, runs the requested command, or opens the requested folder, which may first need the user's trust. Waits
 * until the sessions are loaded, so that `startDesk` does not replace what is shown. Must be called after `startDesk`.
 */
export async function showAsked(desk: Desk, asked: AskedToShow): Promise<void> {
  await untilSessionsAreKnown(desk)
  if (asked.kind === 'settings') return showSettings(desk, asked.section)
  if (asked.kind === 'command')
    return paletteCommands(desk)
      .find(({ id }) => id === asked.command)
      ?.run()
  if (asked.kind === 'folder') return report(desk, openFolder(desk, asked.folder))
  const id = SessionId.safeParse(asked.sessionId)
  if (id.success && desk.list.getState().sessions.has(id.data)) showSession(desk, id.data)
  else if (!asked.wasShown) desk.notice.setState({ trouble: desk.list.getState().unreadable ?? NO_SUCH_SESSION })
}

const NO_SUCH_SESSION: Trouble = {
  code: 'no_such_session',
  what: 'The link leads to a session that is not in this data folder.',
  kept: 'The window shows the same session as before.',
  todo: 'Open the link on the computer that has the session.',
}

function untilSessionsAreKnown(desk: Desk): Promise<void> {
  const isKnown = (): boolean => desk.list.getState().known && desk.app.getState().hello !== null
  if (isKnown()) return Promise.resolve()
  return new Promise((resolve) => {
    const look = (): void => {
      if (!isKnown()) return
      for (const stop of stops) stop()
      resolve()
    }
    const stops = [desk.list.subscribe(look), desk.app.subscribe(look)]
  })
}
