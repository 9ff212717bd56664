import { type RefObject, useLayoutEffect, useState } from 'react'

/** True once the signing key was pressed outside of the tray, where it does nothing, until the focus comes into it. */
export function useMissedKey(tray: RefObject<HTMLElement | null>): boolean {
  const [missed, setMissed] = useState(false)
  useLayoutEffect(() => {
    const isInside = (place: EventTarget | null): boolean => place instanceof Node && (tray.current?.contains(place) ?? false)
    const onKeyDown = (event: KeyboardEvent): void => {
      const signs = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      if (!signs || event.defaultPrevented || isInside(event.target) || document.querySelector('dialog[open]')) return
      setMissed(true)
    }
    const onFocus = (event: FocusEvent): void => {
      if (isInside(event.target)) setMissed(false)
    }
    window.addEventListener('keydown', onKeyDown)
    window.addEventListener('focusin', onFocus)
    return () => {
      window.removeEventListener('keydown', onKeyDown)
      window.removeEventListener('focusin', onFocus)
    }
  }, [tray])
  return missed
}
