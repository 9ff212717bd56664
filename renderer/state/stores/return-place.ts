import type { StoreApi } from 'zustand/vanilla'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { entriesOf, firstEntryBelow } from '../../ui/ledger/entry-elements.ts'
import type { ReturnFocus } from './return-focus.ts'
import type { View } from './view-store.ts'

/** Where the user was before Ctrl+J, in any session. */
export interface ReturnPlace {
  /** Called before Ctrl+J takes the user to a session. Later calls have no effect until the user is back or has moved without the key. */
  mark(to: SessionId): void
  /**
   * Returns to the remembered session (with `show`), page, scroll position, focus and selection, if the answered request already waited when
   * Ctrl+J was pressed. A later request is part of other work in the session, so its answer does not leave the session. `requestedAt`: ms
   * since 1970.
   */
  goBack(requestedAt: number, show: (sessionId: SessionId) => void): void
}

interface Place {
  readonly sessionId: SessionId
  readonly page: View['page']
  /** When the place was remembered, in ms since 1970. */
  readonly at: number
  /** The selection of the composer, if it had the focus. */
  readonly selection: readonly [number, number] | null
  readonly read: Read | null
}

/** The first visible entry: its index in the list, and its distance from the top edge in px. */
interface Read {
  readonly index: number
  readonly top: number
}

export function createReturnPlace(view: StoreApi<View>, here: ReturnFocus): ReturnPlace {
  let place: Place | null = null
  /** The session that Ctrl+J last opened. Null as soon as the user has opened a session in another way. */
  let led: SessionId | null = null
  view.subscribe(({ sessionId }, before) => {
    if (sessionId === before.sessionId || sessionId === led) return
    place = null
    led = null
  })
  return {
    mark(to) {
      const { sessionId, page } = view.getState()
      if (led !== sessionId) place = sessionId === null ? null : placeNow(sessionId, page)
      led = to
      here.mark()
    },
    goBack(requestedAt, show) {
      const { sessionId } = view.getState()
      const to = place
      place = null
      led = null
      if (to === null || requestedAt > to.at || (to.sessionId === sessionId && to.page === 'desk')) return here.goBack()
      here.forget()
      show(to.sessionId)
      view.setState({ page: to.page })
      restore(to)
    },
  }
}

function placeNow(sessionId: SessionId, page: View['page']): Place {
  const { activeElement } = document
  const isComposer = activeElement instanceof HTMLTextAreaElement && activeElement.matches('[data-composer-text]')
  const selection = isComposer ? ([activeElement.selectionStart, activeElement.selectionEnd] as const) : null
  return { sessionId, page, at: Date.now(), selection, read: readNow() }
}

const ledger = (): HTMLElement | null => document.querySelector('[data-pane=work] section[aria-label^="Ledger"]')

const listIn = (box: Element): Element | null => box.querySelector('[role=list]')

/** Returns the first visible entry. Null if the end of the ledger is visible, because a session opens at its end anyway. */
function readNow(): Read | null {
  const box = ledger()
  if (!box || box.scrollHeight - box.scrollTop - box.clientHeight <= 1) return null
  const edge = box.getBoundingClientRect().top
  const list = listIn(box)
  const entry = list && firstEntryBelow(edge, list)
  return entry && { index: entriesOf(list).indexOf(entry), top: entry.getBoundingClientRect().top - edge }
}

/** How long to wait for the session to render, in ms. */
const TIMEOUT_MS = 3_000

function restore({ sessionId, selection, read }: Place): void {
  const until = performance.now() + TIMEOUT_MS
  let settled = 0
  const look = (): void => {
    const composer = document.querySelector<HTMLTextAreaElement>(`[data-composer-of="${CSS.escape(sessionId)}"]`)
    const box = ledger()
    const list = box && listIn(box)
    const entry = read && list ? entriesOf(list)[read.index] : null
    const isThere = composer !== null && (read === null || Boolean(entry))
    if (isThere && settled === 0) {
      composer.focus({ preventScroll: true })
      if (selection) composer.setSelectionRange(...selection)
    }
    if (isThere) settled++
    // Entries outside the view have estimated heights, so the position is corrected for some frames.
    if (box && entry && read) box.scrollTop += entry.getBoundingClientRect().top - box.getBoundingClientRect().top - read.top
    if (settled < 4 && performance.now() < until) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
