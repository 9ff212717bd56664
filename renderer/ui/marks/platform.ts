import { createContext } from 'react'

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
