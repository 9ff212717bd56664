import { useEffect, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import { useDesk } from '../desk-context.ts'

const dark = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)')

/** Puts theme and text size on the page; `system` follows the system while it changes. */
export function useAppearance(): void {
  const settings = useStore(useDesk().settings, (state) => state.settings?.settings ?? null)
  const systemDark = useSyncExternalStore(watchSystem, () => dark().matches)
  const theme = settings === null || settings.theme === 'system' ? (systemDark ? 'dark' : 'light') : settings.theme
  const textSize = settings?.textSize ?? 'normal'
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme
    document.documentElement.dataset['text'] = textSize
  }, [theme, textSize])
}

function watchSystem(changed: () => void): () => void {
  const query = dark()
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
