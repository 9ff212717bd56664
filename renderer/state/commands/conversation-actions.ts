import type { SessionId } from '../../../shared/lib/ids.ts'
import type { ConversationPoint } from '../../../shared/session/conversation-move.ts'
import type { Picture } from '../../../shared/session/content.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { Desk } from '../desk.ts'
import { attemptRequest, report } from './attempt-request.ts'
import { typeIntoNextSession } from './catch-typing.ts'
import { showSession } from './actions.ts'

/** Moves the conversation back to one of its earlier points. Files are not changed. */
export function goBack(desk: Desk, sessionId: SessionId, point: ConversationPoint): void {
  void report(
    desk,
    attemptRequest(desk, 'The conversation was not changed', (client) => client.sessions.goBack({ sessionId, point })),
  )
}

/** A message that can be edited and sent again. */
export interface SentMessage {
  readonly text: string
  readonly pictures: readonly Picture[]
}

/** Opens a new session with a copy of the conversation up to a point. `again` is the message that its composer starts with. */
export function forkSession(desk: Desk, sessionId: SessionId, point: ConversationPoint, again: SentMessage | null = null): void {
  const fork = (): Promise<Trouble | null> =>
    attemptRequest(desk, 'The session was not forked', async (client) => {
      const forked = await client.sessions.fork({ sessionId, point })
      if (!forked.ok) return forked
      if (again) {
        desk.drafts.set(forked.sessionId, again.text)
        desk.draftPictures.add(forked.sessionId, ...again.pictures)
      }
      showSession(desk, forked.sessionId)
      return { ok: true }
    })
  void report(desk, typeIntoNextSession(desk, fork))
}
