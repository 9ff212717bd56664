import { useLayoutEffect, useRef } from 'react'
import { isComposing } from '../is-composing.ts'

/** Runs `leave` on Escape, unless a dialog, menu, list or text area handles it. */
export function useEscape(leave: () => void): void {
  const latest = useRef(leave)
  useLayoutEffect(() => {
    latest.current = leave
  })
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event) || event.ctrlKey || event.altKey || event.metaKey) return
      if (document.querySelector('dialog[open]') !== null || isPopupOpen()) return
      if (event.target instanceof HTMLElement && event.target.closest('textarea, [contenteditable]') !== null) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Whether a menu or list is open. If so, Escape closes only that menu or list. */
export function isPopupOpen(): boolean {
  return document.querySelector('[role=listbox]:popover-open, [role=menu]:popover-open') !== null
}
