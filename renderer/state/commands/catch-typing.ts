import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { newSession } from './actions.ts'
import type { Desk } from '../desk.ts'

/** How long the field that the words are meant for may take to appear (ms); what is typed later goes where the focus is. */
const PATIENCE_MS = 3_000

/**
 * From now on what is typed is kept back, until the field that it is meant for is there: it gets the words and the focus. For keys that follow
 * at once on one that opens something. `field` says where it is, null while it is not; `give` hands it the words. Any other key ends it;
 * `enter`: what Enter counts as, where it is none of those.
 */
export function catchTyping(field: () => HTMLElement | null, give: (text: string) => void, enter?: string): void {
  const until = performance.now() + PATIENCE_MS
  let text = ''
  let isOver = false
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Shift' || event.key === 'Control' || event.key === 'Meta' || event.key === 'Alt' || event.isComposing) return
    const key = event.key === 'Enter' && enter !== undefined ? enter : event.key
    const types = [...key].length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    if (!types && event.key !== 'Backspace') return end()
    event.preventDefault()
    event.stopImmediatePropagation()
    text = types ? text + key : [...text].slice(0, -1).join('')
  }
  const end = (): void => {
    isOver = true
    removeEventListener('keydown', onKeyDown, { capture: true })
    removeEventListener('pointerdown', end, { capture: true })
    if (text !== '') give(text)
  }
  const look = (): void => {
    if (isOver) return
    const place = field()
    if (place) {
      place.focus({ preventScroll: true })
      end()
    } else if (performance.now() < until) requestAnimationFrame(look)
    else end()
  }
  addEventListener('keydown', onKeyDown, { capture: true })
  addEventListener('pointerdown', end, { capture: true, once: true })
  requestAnimationFrame(look)
}

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
