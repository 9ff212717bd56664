import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { newSession } from './actions.ts'
import type { Desk } from '../desk.ts'

/** How long to wait for the field to appear, in ms. Keys typed later go to the focused element. */
const TIMEOUT_MS = 3_000

/**
 * Buffers typed keys until a field that is about to open exists, then gives the field the text and the focus. `field` returns the field,
 * or null while it does not exist. `give` receives the text. A key that types nothing ends the buffering. `enter` is the text that Enter
 * types, if any.
 */
export function catchTyping(field: () => HTMLElement | null, give: (text: string) => void, enter?: string): void {
  const until = performance.now() + TIMEOUT_MS
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

/**
 * Opens a new session from the keyboard. Text typed right after the shortcut goes to the new session, not into the previous session's
 * draft.
 */
export function newSessionByKey(desk: Desk, folder: string): Promise<Trouble | null> {
  const left = desk.view.getState().sessionId
  let isDone = false
  const shown = (): SessionId | null => desk.view.getState().sessionId
  catchTyping(
    () => {
      const sessionId = shown()
      // Once `newSession` is done, the session may still be the same one, because an empty session is reused.
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
