import { useEffect, useRef } from 'react'
import { useDesk, useView } from '../desk-context.ts'
import { createReturnFocus } from '../stores/return-focus.ts'

/**
 * Moves the focus when the page or session changes: on the desk of a session to the composer, elsewhere to the element marked
 * `data-page-focus`, and if there is none to the page, so that screen readers announce it. When the user returns to the desk, the focus
 * returns to where it was. An element of the new page that already has the focus keeps it.
 */
export function usePageFocus(): void {
  const desk = useDesk()
  const { page, sessionId } = useView((view) => ({ page: view.page, sessionId: view.sessionId }))
  const before = useRef({ page, place: createReturnFocus() })

  useEffect(
    () =>
      desk.view.subscribe((now, last) => {
        // This runs before the render, when the focused element still exists.
        if (last.page === 'desk' && now.page !== 'desk') before.current.place.mark()
      }),
    [desk],
  )
  useEffect(() => {
    const wasElsewhere = before.current.page !== 'desk'
    before.current.page = page
    const frame = requestAnimationFrame(() => {
      if (document.activeElement !== document.body || document.querySelector('dialog[open]')) return
      if (page === 'desk' && sessionId !== null && wasElsewhere) before.current.place.goBack()
      if (document.activeElement !== document.body) return
      const first = page === 'desk' && sessionId !== null ? '[data-composer-text]' : 'button[data-page-focus], [data-page-focus] button'
      const place = document.querySelector<HTMLElement>(first) ?? document.querySelector<HTMLElement>('[data-pane=work]')
      place?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [page, sessionId])
}
