import { type KeyboardEvent as TrayKeyEvent, type RefObject, useContext, useLayoutEffect, useState } from 'react'
import { isTyping } from '../../state/commands/key-combinations.ts'
import { keysOf, PersonKeysContext, type Press } from '../../ui/marks/key-labels.ts'
import type { Hold } from '../../ui/hooks/use-hold.ts'

export interface TrayKeys {
  /** Returns the user's own key for a default key. */
  readonly own: (defaultKey: string) => string
  readonly armed: boolean
  readonly destructive: boolean
  readonly hold: Hold
  readonly sign: () => void
  readonly refuse: (note: null) => void
}

/**
 * Handles the key for signing (default Ctrl+Enter) and the key for refusing (default Ctrl+Del). Keys are ignored while the caret is in a
 * text field, and so are repeats of a held key.
 */
export function onTrayKey(event: TrayKeyEvent, { own, armed, destructive, hold, sign, refuse }: TrayKeys): void {
  if (isTyping(event.target)) return
  const signs = isPress(event, own('Mod+Enter'))
  const refuses = isPress(event, own('Mod+Del'))
  if (!signs && !refuses) return
  event.preventDefault()
  if (event.repeat) return
  if (refuses) refuse(null)
  else if (armed && destructive) hold.press()
  else if (armed) sign()
}

/** Whether these keys are pressed. Ctrl and Cmd are both accepted on any platform. */
const isPress = (event: Press, keys: string): boolean => keys !== '' && (keysOf(event, false) === keys || keysOf(event, true) === keys)

/**
 * The user's keys. `missed` becomes true when the signing key is pressed outside the tray, where it does nothing. It is false again when
 * the tray gets the focus.
 */
export function useTrayKeys(tray: RefObject<HTMLElement | null>): Pick<TrayKeys, 'own'> & { readonly missed: boolean } {
  const own = useContext(PersonKeysContext)
  const [missed, setMissed] = useState(false)
  useLayoutEffect(() => {
    const isInside = (place: EventTarget | null): boolean => place instanceof Node && (tray.current?.contains(place) ?? false)
    const onKeyDown = (event: KeyboardEvent): void => {
      const signs = isPress(event, own('Mod+Enter'))
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
  }, [tray, own])
  return { missed, own }
}
