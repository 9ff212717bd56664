import type { KeyboardEvent } from 'react'
import { isTyping } from '../../state/commands/keys.ts'
import type { Hold } from '../../ui/hooks/use-hold.ts'

export interface TrayKeys {
  readonly armed: boolean
  readonly destructive: boolean
  readonly hold: Hold
  readonly sign: () => void
  readonly refuse: (note: null) => void
}

/** Ctrl Enter signs, Ctrl Del refuses: never while the caret is in a text field, and a key held down beforehand does nothing. */
export function onTrayKey(event: KeyboardEvent, { armed, destructive, hold, sign, refuse }: TrayKeys): void {
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
