import type { SessionId } from '../../shared/lib/ids.ts'
import type { SessionEvent } from '../../shared/session/events.ts'

type OwnEvent = Exclude<SessionEvent, { kind: 'SUBAGENT_EVENT' }>

/** What a session's stream tells, by whom: the session itself (`own`), a subagent of it, or one of a subagent's, however deep. */
export function whoseEvent(event: SessionEvent, own: SessionId): { readonly by: SessionId; readonly event: OwnEvent } {
  return event.kind === 'SUBAGENT_EVENT' ? whoseEvent(event.event, event.subagentId) : { by: own, event }
}
