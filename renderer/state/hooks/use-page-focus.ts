import { useEffect, useRef } from 'react'
import { useDesk, useView } from '../desk-context.ts'
import { createReturnPoint } from '../stores/return-point.ts'

/**
 * The focus when a page or another session comes: on what a page marks with `data-page-focus`, else on the page itself, so that a screen
 * reader says where it is; back on the desk where it was before. What has taken the focus meanwhile keeps it.
 */
export function usePageFocus(): void {
  const desk = useDesk()
  const { page, sessionId } = useView((view) => ({ page: view.page, sessionId: view.sessionId }))
  const before = useRef({ page, place: createReturnPoint() })

  useEffect(
    () =>
      desk.view.subscribe((now, last) => {
        // before the page is drawn: what has the focus is still there
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
