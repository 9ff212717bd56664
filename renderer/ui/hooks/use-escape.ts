import { useLayoutEffect, useRef } from 'react'

/** Runs `leave` on an Escape that nothing else has taken: no dialog, menu or list, and nobody who types. */
export function useEscape(leave: () => void): void {
  const latest = useRef(leave)
  useLayoutEffect(() => {
    latest.current = leave
  })
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return
      if (document.querySelector('dialog[open]') !== null || isPopupOpen()) return
      if (event.target instanceof HTMLElement && event.target.closest('textarea, [contenteditable]') !== null) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Whether a menu or a list is unfolded: then Escape is its own and closes nothing else. */
function isPopupOpen(): boolean {
  return document.querySelector('[role=listbox]:popover-open, [role=menu]:popover-open') !== null
}
