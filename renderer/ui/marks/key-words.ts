import { createContext } from 'react'

const drawn: Readonly<Record<string, string>> = { Plus: '+', Backquote: '`' }
const mac: Readonly<Record<string, string>> = { Mod: 'Cmd', Alt: 'Option', Del: 'Delete' }
const other: Readonly<Record<string, string>> = { Mod: 'Ctrl' }

/** Names of the keys of a chord as its platform calls them: `Mod+Shift+F` → `['Ctrl', 'Shift', 'F']`. A plus sign is written `Plus`. */
export function keyWords(chord: string, platform: Platform): readonly string[] {
  const names = platform === 'mac' ? mac : other
  return chord.split('+').map((key) => names[key] ?? drawn[key] ?? key)
}

/** A chord as `aria-keyshortcuts` wants it: `Mod+Del` → `Control+Delete Meta+Delete`. */
export function ariaKeys(chord: string): string {
  const keys = chord.split('+').map((key) => (key === 'Del' ? 'Delete' : key === 'Esc' ? 'Escape' : key))
  if (!keys.includes('Mod')) return keys.join('+')
  const chordWith = (modifier: string): string => keys.map((key) => (key === 'Mod' ? modifier : key)).join('+')
  return `${chordWith('Control')} ${chordWith('Meta')}`
}

/** Whose key names are shown. */
export type Platform = 'mac' | 'other'

/**
 * The keyboard before which the person sits. The browser says it, and not main: through a tunnel the page of a Linux machine is read on a Mac,
 * whose Cmd key then counts.
 */
export function keyboardPlatform({ userAgent }: Pick<Navigator, 'userAgent'> = navigator): Platform {
  return /\bMacintosh\b/u.test(userAgent) ? 'mac' : 'other'
}

/** The platform of everything below it; `Kbd` reads it, so that no feature has to pass it on. */
export const PlatformContext = createContext<Platform>('other')
