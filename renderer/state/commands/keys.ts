/** A key combination as the table names it: `Mod` is Cmd on macOS, Ctrl elsewhere; `Esc Esc` is one key twice. */
export type Keys = string

export interface KeyAction {
  readonly keys: Keys
  /** False: it was not for us after all, and the key goes on. */
  readonly run: () => boolean | void
}

/** Whether the caret is in a text field: there no single key does anything, and no key ever signs (look §7). */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('textarea, input:not([type=checkbox], [type=radio], [type=button])')
}

/** The part of a key press that names it. */
export type Press = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** The name of a key press in the table's form; letters in capitals, whatever the shift. */
export function keysOf(press: Press, mac: boolean): Keys {
  const mod = mac ? press.metaKey : press.ctrlKey
  const shift = press.shiftKey && (press.key.length > 1 || /\p{L}/u.test(press.key))
  return [mod && 'Mod', press.altKey && 'Alt', shift && 'Shift', keyName(press)].filter(Boolean).join('+')
}

/** Alt turns letters into other characters on some keyboards, and the back quote is a dead key on others: there the place of the key counts. */
function keyName({ key, code, altKey }: Press): string {
  if (code === 'Backquote') return 'Backquote'
  if (key === 'Delete' || key === 'Backspace') return 'Del'
  const letter = altKey ? /^Key([A-Z])$/.exec(code)?.[1] : undefined
  return letter ?? (key.length === 1 ? key.toUpperCase() : key)
}

/** Runs the action of a press, if the table has one. Single keys are left alone while somebody types. */
export function runKey(event: KeyboardEvent, table: readonly KeyAction[], mac: boolean): void {
  if (event.defaultPrevented || event.isComposing) return
  const keys = keysOf(event, mac)
  const action = table.find((one) => one.keys === keys)
  if (!action || (isTyping(event.target) && !keys.includes('Mod') && !/^(Shift\+)?F\d+$/.test(keys))) return
  if (action.run() !== false) event.preventDefault()
}
