import type { StoreApi } from 'zustand/vanilla'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { ReturnPoint } from './return-point.ts'
import type { View } from './view-store.ts'

/** Where the person was before they went to what needed them, in whichever session. */
export interface WayBack {
  /** Called before they go to this session; only the first place counts until they are back or went elsewhere by themselves. */
  mark(to: SessionId): void
  /** Back to that session, which `show` brings on screen, to its page, to where its ledger was scrolled, and with the focus and the selection to where they were. */
  goBack(show: (sessionId: SessionId) => void): void
}

interface Place {
  readonly sessionId: SessionId
  readonly page: View['page']
  /** The selection of the composer, if it had the focus. */
  readonly selection: readonly [number, number] | null
  readonly read: Read | null
}

/** The first entry in sight, by its place in the list, and how far it stood below the upper edge (px). */
interface Read {
  readonly index: number
  readonly top: number
}

export function createWayBack(view: StoreApi<View>, here: ReturnPoint): WayBack {
  let place: Place | null = null
  /** Where the key led last: who is elsewhere went there by themselves. */
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

/** Null: the end is in sight, which is where a session opens. */
function readNow(): Read | null {
  const box = ledger()
  if (!box || box.scrollHeight - box.scrollTop - box.clientHeight <= 1) return null
  const edge = box.getBoundingClientRect().top
  const all = entries(box)
  const index = all.findIndex((entry) => entry.getBoundingClientRect().bottom > edge)
  return index === -1 ? null : { index, top: (all[index]?.getBoundingClientRect().top ?? edge) - edge }
}

/** How long the session may take to be drawn again (ms). */
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
    // entries out of sight have estimated heights until they are drawn: looked at again for some frames
    if (box && entry && read) box.scrollTop += entry.getBoundingClientRect().top - box.getBoundingClientRect().top - read.top
    if (settled < 4 && performance.now() < until) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
