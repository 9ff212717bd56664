import type { SessionFlag } from '../../../shared/api/sessions.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Desk } from '../desk.ts'
import { attempt, report } from './attempt.ts'

/** Pins or archives a session, or takes that back. */
export function flagSession(desk: Desk, sessionId: SessionId, flag: SessionFlag, isOn: boolean): void {
  void report(
    desk,
    attempt(desk, 'The session was not changed', (client) => client.sessions.flag({ sessionId, flag, isOn })),
  )
}

/** Asks whether to delete sessions, in a dialog that first shows what that frees. */
export function askToDelete(desk: Desk, sessionIds: readonly SessionId[]): void {
  desk.view.setState({ overlay: { kind: 'delete', sessionIds } })
}
