import type { SessionId } from '../../../shared/lib/ids.ts'
import type { ConversationPoint } from '../../../shared/session/conversation-move.ts'
import type { Picture } from '../../../shared/session/content.ts'
import { messageAsTyped } from '../../../shared/session/person-message.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { Desk } from '../desk.ts'
import { attemptRequest, report } from './attempt-request.ts'
import { typeIntoNextSession } from './catch-typing.ts'
import { showSession } from './actions.ts'

/**
 * Moves the conversation back to one of its earlier points. Files are not changed. If the point is before a message of the user, the
 * composer gets the message back.
 */
export function goBack(desk: Desk, sessionId: SessionId, point: ConversationPoint): void {
  const going = attemptRequest(desk, 'The conversation was not changed', async (client) => {
    const gone = await client.sessions.goBack({ sessionId, point })
    if (gone.ok) giveMessageBack(desk, sessionId, point)
    return gone
  })
  void report(desk, going)
}

/** Puts the message that follows a point of the conversation into the composer, unless something is written there already. */
export function giveMessageBack(desk: Desk, sessionId: SessionId, point: ConversationPoint): void {
  if (point.kind !== 'before' || desk.drafts.get(sessionId).trim() !== '' || desk.draftPictures.get(sessionId).length > 0) return
  const { session } = desk.session(sessionId).store.getState()
  const item = session?.items.findLast(({ id }) => id.slice(1) === String(point.seq))
  if (item?.kind !== 'user') return
  desk.drafts.set(sessionId, messageAsTyped(item))
  desk.draftPictures.add(sessionId, ...(item.pictures ?? []))
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
