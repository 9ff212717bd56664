import { type KeyboardEvent as TrayKeyEvent, type RefObject, useLayoutEffect, useState } from 'react'
import { isTyping } from '../../state/commands/keys.ts'
import type { Hold } from '../../ui/hooks/use-hold.ts'

export interface TrayKeys {
  readonly armed: boolean
  readonly destructive: boolean
  readonly hold: Hold
  readonly sign: () => void
  readonly refuse: (note: null) => void
}

/** Ctrl Enter signs, Ctrl Del refuses; never while the caret is in a text field, and not for repeats of a held key. */
export function onTrayKey(event: TrayKeyEvent, { armed, destructive, hold, sign, refuse }: TrayKeys): void {
  if (isTyping(event.target) || event.altKey || event.shiftKey || !(event.ctrlKey || event.metaKey)) return
  const signs = event.key === 'Enter'
  const refuses = event.key === 'Delete' || event.key === 'Backspace'
  if (!signs && !refuses) return
  event.preventDefault()
  if (event.repeat) return
  if (refuses) refuse(null)
  else if (armed && destructive) hold.press()
  else if (armed) sign()
}

/** True after the signing key was pressed outside the tray, where it does nothing, until the tray gets the focus. */
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
