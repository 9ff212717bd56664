import { useEffect } from 'react'
import { useStore } from 'zustand'
import { applyAppearance } from '../../ui/appearance.ts'
import { useDesk } from '../desk-context.ts'

/** Applies the theme and text size of the settings to the page. */
export function useAppearance(): void {
  const settings = useStore(useDesk().settings, (state) => state.settings?.settings ?? null)
  const theme = settings?.theme ?? 'system'
  const text = settings?.textSize ?? 'normal'
  useEffect(() => applyAppearance(document.documentElement, { theme, text }), [theme, text])
}
