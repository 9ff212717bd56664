import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { newSession } from './actions.ts'
import { catchTyping } from './catch-typing.ts'
import type { Desk } from '../desk.ts'

/** A new session by its key: what is typed right after it is meant for that session, not for the draft of the one before. */
export function newSessionByKey(desk: Desk, folder: string): Promise<Trouble | null> {
  const left = desk.view.getState().sessionId
  let isDone = false
  const shown = (): SessionId | null => desk.view.getState().sessionId
  catchTyping(
    () => {
      const sessionId = shown()
      // it may be the one that is on screen already: nothing was said in it yet
      if (sessionId === null || (sessionId === left && !isDone)) return null
      return document.querySelector<HTMLElement>(`[data-composer-of="${CSS.escape(sessionId)}"]`)
    },
    (text) => {
      const sessionId = shown()
      if (sessionId !== null) desk.drafts.set(sessionId, desk.drafts.get(sessionId) + text)
    },
  )
  return newSession(desk, folder).finally(() => {
    isDone = true
  })
}
