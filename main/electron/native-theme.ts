import { type BrowserWindow, nativeTheme } from 'electron'
import type { Settings } from '../../shared/api/setting-fields.ts'
import type { Disposable } from '../../shared/lib/disposable.ts'

/** The theme that the user chose. */
export interface ChosenTheme {
  current(): Settings['theme']
  /** Calls the listener when the theme may have changed. */
  onChange(listener: () => void): Disposable
}

/** The page's `--chrome` in both themes: what a window shows until its page is drawn. */
export const BACKGROUNDS = { light: '#f0eee9', dark: '#141312' } as const

export const windowBackground = (): string => BACKGROUNDS[nativeTheme.shouldUseDarkColors ? 'dark' : 'light']

/** Gives menus, dialogs and window frames the theme that the user chose for the page. Call it once, when the app is ready. */
export function followTheme(theme: ChosenTheme, windows: () => Iterable<BrowserWindow>): void {
  const apply = (): void => {
    nativeTheme.themeSource = theme.current()
  }
  apply()
  theme.onChange(apply)
  nativeTheme.on('updated', () => {
    for (const window of windows()) window.setBackgroundColor(windowBackground())
  })
}
