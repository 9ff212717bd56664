import { createContext } from 'react'

const drawn: Readonly<Record<string, string>> = { Plus: '+', Backquote: '`' }
const mac: Readonly<Record<string, string>> = { Mod: 'Cmd', Alt: 'Option', Del: 'Delete' }
const other: Readonly<Record<string, string>> = { Mod: 'Ctrl' }

/** The key names of a chord on its platform: `Mod+Shift+F` → `['Ctrl', 'Shift', 'F']`. A plus sign is written `Plus`. */
export function keyWords(chord: string, platform: Platform): readonly string[] {
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
 * The platform of the person's keyboard, from the browser and not from main: the page of a Linux machine may be used on a Mac.
 */
export function keyboardPlatform({ userAgent }: Pick<Navigator, 'userAgent'> = navigator): Platform {
  return /\bMacintosh\b/u.test(userAgent) ? 'mac' : 'other'
}

/** The platform for key hints in the components below. */
export const PlatformContext = createContext<Platform>('other')
