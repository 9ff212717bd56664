import { keysOf } from '../../ui/marks/key-labels.ts'
import { isComposing } from '../../ui/is-composing.ts'

/** A key combination. `Mod` is Cmd on macOS and Ctrl elsewhere. `Esc Esc` is a double press. */
export type Keys = string

export interface KeyAction {
  readonly keys: Keys
  /** Returns false if it did not handle the key. */
  readonly run: () => boolean | void
}

/** Whether the caret is in a text field. There, keys without Ctrl only type, and no key signs. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('textarea, input:not([type=checkbox], [type=radio], [type=button])')
}

/**
 * Runs the action of a key, if the table has one. While the user types, keys without Ctrl are ignored, except function keys. `own` returns
 * the user's key for a default key.
 */
export function runKey(
  event: KeyboardEvent,
  table: readonly KeyAction[],
  mac: boolean,
  own: (defaultKey: Keys) => Keys = (defaultKey) => defaultKey,
): void {
  if (event.defaultPrevented || isComposing(event)) return
  const keys = keysOf(event, mac)
  const action = table.find((one) => own(one.keys) === keys)
  if (!action || (isTyping(event.target) && !keys.includes('Mod') && !/^(Shift\+)?F\d+$/.test(keys))) return
  if (action.run() !== false) event.preventDefault()
}
