import { createContext, useContext } from 'react'

const drawn: Readonly<Record<string, string>> = { Plus: '+', Backquote: '`' }
const mac: Readonly<Record<string, string>> = { Mod: 'Cmd', Alt: 'Option', Del: 'Delete' }
const other: Readonly<Record<string, string>> = { Mod: 'Ctrl' }

/** The key names of a chord on its platform: `Mod+Shift+F` → `['Ctrl', 'Shift', 'F']`. A plus sign is written `Plus`. */
export function keyLabels(chord: string, platform: Platform): readonly string[] {
  const names = platform === 'mac' ? mac : other
  return chord.split('+').map((key) => names[key] ?? drawn[key] ?? key)
}

/** A chord in the format of `aria-keyshortcuts`: `Mod+Del` → `Control+Delete Meta+Delete`. */
export function ariaKeys(chord: string): string {
  const keys = chord.split('+').map((key) => (key === 'Del' ? 'Delete' : key === 'Esc' ? 'Escape' : key))
  if (!keys.includes('Mod')) return keys.join('+')
  const chordWith = (modifier: string): string => keys.map((key) => (key === 'Mod' ? modifier : key)).join('+')
  return `${chordWith('Control')} ${chordWith('Meta')}`
}

/** The platform whose key names are shown. */
export type Platform = 'mac' | 'other'

/**
 * The platform of the user's keyboard, detected from the browser and not from main, because a Mac may show the page of a Linux machine.
 */
export function keyboardPlatform({ userAgent }: Pick<Navigator, 'userAgent'> = navigator): Platform {
  return /\bMacintosh\b/u.test(userAgent) ? 'mac' : 'other'
}

/** The platform for key hints in the components inside the provider. */
export const PlatformContext = createContext<Platform>('other')

/** Returns the user's key for a default key. Empty if the user removed it. Components refer to keys by their defaults. */
export const PersonKeysContext = createContext<(defaultKey: string) => string>((defaultKey) => defaultKey)

/** Returns the names of the user's keys for a default key, joined by spaces. Empty if the user removed the key. */
export function useKeyHint(): (defaultKey: string) => string {
  const platform = useContext(PlatformContext)
  const own = useContext(PersonKeysContext)
  return (defaultKey) => (own(defaultKey) === '' ? '' : keyLabels(own(defaultKey), platform).join(' '))
}

/** The value of `aria-keyshortcuts`. */
export function useAriaKeys(defaultKey: string | undefined): string | undefined {
  const keys = useContext(PersonKeysContext)(defaultKey ?? '')
  return keys === '' ? undefined : ariaKeys(keys)
}

/** The part of a key event that identifies the key. */
export type Press = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** The key combination of an event, with letters in upper case. */
export function keysOf(press: Press, mac: boolean): string {
  const mod = mac ? press.metaKey : press.ctrlKey
  const isBackquote = press.code === 'Backquote' && press.key !== '`'
  const shift = press.shiftKey && (press.key.length > 1 || isBackquote || /\p{L}/u.test(press.key))
  return [mod && 'Mod', press.altKey && 'Alt', shift && 'Shift', keyName(press)].filter(Boolean).join('+')
}

/**
 * Returns the physical key for letters with Alt and for the back quote, because some keyboards change them or treat them as dead keys.
 */
function keyName({ key, code, altKey }: Press): string {
  if (code === 'Backquote' || key === '`') return 'Backquote'
  if (key === 'Delete' || key === 'Backspace') return 'Del'
  const letter = altKey ? /^Key([A-Z])$/.exec(code)?.[1] : undefined
  return letter ?? (key.length === 1 ? key.toUpperCase() : key)
}
