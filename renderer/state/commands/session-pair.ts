import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Desk } from '../desk.ts'
import { focusWhenThere } from './focus-when-there.ts'

/** Selector of the message field of a session. */
const fieldOf = (sessionId: SessionId): string => `[data-composer-of="${CSS.escape(sessionId)}"]`

/** Shows a session beside the current one, and makes it the active one. */
export function showBeside(desk: Desk, other: SessionId): void {
  const { sessionId, pair } = desk.view.getState()
  if (sessionId === null || other === sessionId || pair?.includes(other) === true) return
  desk.signing.moved()
  desk.view.setState({ page: 'desk', pair: [sessionId, other], sessionId: other, request: null, renaming: false, overlay: null })
  focusWhenThere(fieldOf(other))
}

/**
 * Makes one of two sessions that are side by side the active one, which gets the keys. After a change by focus, its requests cannot be
 * signed for a moment, because a key may have been meant for the other session.
 */
export function activate(desk: Desk, sessionId: SessionId, by: 'focus' | 'press' = 'focus'): void {
  if (desk.view.getState().sessionId === sessionId) return
  if (by === 'focus') desk.signing.moved()
  desk.view.setState({ sessionId, request: null, terminalOf: null, renaming: false })
}

/** Closes one of two sessions that are side by side. The other one becomes the active one. */
export function closeOfPair(desk: Desk, closed: SessionId): void {
  const { pair } = desk.view.getState()
  const other = pair?.find((sessionId) => sessionId !== closed)
  if (other === undefined) return
  activate(desk, other)
  desk.view.setState({ pair: null })
  focusWhenThere(fieldOf(other))
}

/** Shows the current session beside the one that was shown before it. If two are side by side, shows only the active one. */
export function togglePair(desk: Desk): void {
  const { sessionId, pair } = desk.view.getState()
  if (sessionId === null) return
  if (pair !== null) {
    desk.view.setState({ pair: null })
    return
  }
  const known = desk.list.getState().sessions
  const other = desk.recent.list().find((one) => one !== sessionId && known.has(one))
  const newest = [...known.values()].find((one) => one.parent === null && one.sessionId !== sessionId)?.sessionId
  const beside = other ?? newest
  if (beside !== undefined) showBeside(desk, beside)
}
