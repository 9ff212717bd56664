import { useRef } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useDesk } from '../../state/desk-context.ts'
import { messageAsTyped } from '../../../shared/session/person-message.ts'
import type { Item } from '../../../shared/session/state.ts'

export interface Recall {
  /** The new content of the field after this key. Null if the key does not recall a message. */
  readonly textFor: (key: string, draft: string) => string | null
  /** Called when the user types: ends the recall. */
  readonly reset: () => void
}

/** Recalls earlier messages. Up in the empty field starts the recall, and Up and Down continue it. */
export function useMessageRecall(sessionId: SessionId): Recall {
  const desk = useDesk()
  const at = useRef(0)
  return {
    textFor(key, draft) {
      const by = key === 'ArrowUp' && (draft === '' || at.current > 0) ? 1 : key === 'ArrowDown' && at.current > 0 ? -1 : 0
      if (by === 0) return null
      const messages = earlierMessages(desk.session(sessionId).store.getState().session?.items ?? [])
      const next = at.current + by
      if (next > messages.length) return null
      at.current = next
      return next === 0 ? '' : (messages[messages.length - next] ?? '')
    },
    reset() {
      at.current = 0
    },
  }
}

/** The user's own messages of a session, oldest first, without immediate repeats. */
function earlierMessages(items: readonly Item[]): readonly string[] {
  const texts = items.flatMap((item) => (item.kind === 'user' && item.text !== '' ? [messageAsTyped(item)] : []))
  return texts.filter((text, index) => text !== texts[index - 1])
}
