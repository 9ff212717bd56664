import type { StoreApi } from 'zustand/vanilla'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { ReturnFocus } from './return-focus.ts'
import type { View } from './view-store.ts'

/** Where the person was before Ctrl J, in any session. */
export interface ReturnPlace {
  /** Called before going to a session. Only the first place counts until the person is back or has moved on their own. */
  mark(to: SessionId): void
  /** Returns to the remembered session (by `show`), page, scroll position, focus and selection. */
  goBack(show: (sessionId: SessionId) => void): void
}

interface Place {
  readonly sessionId: SessionId
  readonly page: View['page']
  /** The selection of the composer, if it had the focus. */
  readonly selection: readonly [number, number] | null
  readonly read: Read | null
}

/** The first visible entry, by its index in the list, and its distance from the top edge (px). */
interface Read {
  readonly index: number
  readonly top: number
}

export function createReturnPlace(view: StoreApi<View>, here: ReturnFocus): ReturnPlace {
  let place: Place | null = null
  /** Where the key went last. A different current session means that the person moved on their own. */
  let led: SessionId | null = null
  return {
    mark(to) {
      const { sessionId, page } = view.getState()
      if (led !== sessionId) place = sessionId === null ? null : placeNow(sessionId, page)
      led = to
      here.mark()
    },
    goBack(show) {
      const { sessionId } = view.getState()
      const to = place
      const wasLed = led === sessionId
      place = null
      led = null
      if (to === null || !wasLed || (to.sessionId === sessionId && to.page === 'desk')) return here.goBack()
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
  return { sessionId, page, selection: isComposer ? [activeElement.selectionStart, activeElement.selectionEnd] : null, read: readNow() }
}

const ledger = (): HTMLElement | null => document.querySelector('[data-pane=work] section[aria-label="Ledger"]')

const entries = (box: Element): readonly Element[] => [...(box.querySelector('ol')?.children ?? [])]

/** Null when the end is visible, which is where a session opens. */
function readNow(): Read | null {
  const box = ledger()
  if (!box || box.scrollHeight - box.scrollTop - box.clientHeight <= 1) return null
  const edge = box.getBoundingClientRect().top
  const all = entries(box)
  const index = all.findIndex((entry) => entry.getBoundingClientRect().bottom > edge)
  return index === -1 ? null : { index, top: (all[index]?.getBoundingClientRect().top ?? edge) - edge }
}

/** How long to wait for the session to render (ms). */
const PATIENCE_MS = 3_000

function restore({ sessionId, selection, read }: Place): void {
  const until = performance.now() + PATIENCE_MS
  let settled = 0
  const look = (): void => {
    const composer = document.querySelector<HTMLTextAreaElement>(`[data-composer-of="${CSS.escape(sessionId)}"]`)
    const box = ledger()
    const entry = read === null || !box ? null : entries(box)[read.index]
    const isThere = composer !== null && (read === null || Boolean(entry))
    if (isThere && settled === 0) {
      composer.focus({ preventScroll: true })
      if (selection) composer.setSelectionRange(...selection)
    }
    if (isThere) settled++
    // entries outside the view have estimated heights, so correct the position for some frames
    if (box && entry && read) box.scrollTop += entry.getBoundingClientRect().top - box.getBoundingClientRect().top - read.top
    if (settled < 4 && performance.now() < until) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
