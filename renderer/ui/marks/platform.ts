import { createContext } from 'react'

/** Whose key names are shown. */
export type Platform = 'mac' | 'other'

/** The platform of everything below it; `Kbd` reads it, so that no feature has to pass it on. */
export const PlatformContext = createContext<Platform>('other')
