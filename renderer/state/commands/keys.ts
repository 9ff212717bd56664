/** A key combination: `Mod` is Cmd on macOS and Ctrl elsewhere; `Esc Esc` is a double press. */
export type Keys = string

export interface KeyAction {
  readonly keys: Keys
  /** Returns false when it did not handle the key. */
  readonly run: () => boolean | void
}

/** Whether the caret is in a text field. There, single keys only type, and no key signs. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('textarea, input:not([type=checkbox], [type=radio], [type=button])')
}

/** The part of a key event that identifies the key. */
export type Press = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** The key combination of an event, with letters in upper case. */
export function keysOf(press: Press, mac: boolean): Keys {
  const mod = mac ? press.metaKey : press.ctrlKey
  const shift = press.shiftKey && (press.key.length > 1 || /\p{L}/u.test(press.key))
  return [mod && 'Mod', press.altKey && 'Alt', shift && 'Shift', keyName(press)].filter(Boolean).join('+')
}

/** Uses the physical key for letters with Alt and for the back quote, which some keyboards change or treat as a dead key. */
function keyName({ key, code, altKey }: Press): string {
  if (code === 'Backquote') return 'Backquote'
  if (key === 'Delete' || key === 'Backspace') return 'Del'
  const letter = altKey ? /^Key([A-Z])$/.exec(code)?.[1] : undefined
  return letter ?? (key.length === 1 ? key.toUpperCase() : key)
}

/** Runs the action of a key, if the table has one. Single keys are ignored while the person types. */
export function runKey(event: KeyboardEvent, table: readonly KeyAction[], mac: boolean): void {
  if (event.defaultPrevented || event.isComposing) return
  const keys = keysOf(event, mac)
  const action = table.find((one) => one.keys === keys)
  if (!action || (isTyping(event.target) && !keys.includes('Mod') && !/^(Shift\+)?F\d+$/.test(keys))) return
  if (action.run() !== false) event.preventDefault()
}
