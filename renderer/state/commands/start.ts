import { openFolder } from './actions.ts'
import { report } from './attempt.ts'
import type { Desk } from '../desk.ts'
import { sessionsInNeed } from '../views/needs.ts'

/**
 * What a window shows first, once main has said what there is: what it showed before its reload, else the folder of the command line, else
 * the session that needs its person, else the one worked in last, else the start page.
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
    // not `showSession`: somebody may have opened a dialog meanwhile, and it stays
    desk.view.setState({ sessionId: first?.sessionId ?? null })
    if (hello.openFolder !== null) void report(desk, openFolder(desk, hello.openFolder, 'page'))
  }
  const stops = [desk.app.subscribe(decide), desk.list.subscribe(decide)]
  decide()
}
