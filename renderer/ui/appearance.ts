/** The theme and text size that the user chose. `system` follows the operating system. */
export interface Appearance {
  readonly theme: 'system' | 'light' | 'dark'
  /** Multiplies every text size by 0.92, 1 or 1.15. */
  readonly text: 'small' | 'normal' | 'large'
}

/**
 * Sets the theme and text size on the document. The theme `system` is updated when the system changes, until the returned function is
 * called.
 */
export function applyAppearance(root: HTMLElement, { theme, text }: Appearance): () => void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const apply = (): void => {
    root.dataset['theme'] = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
  }
  root.dataset['text'] = text
  apply()
  if (theme !== 'system') return () => {}
  dark.addEventListener('change', apply)
  return () => dark.removeEventListener('change', apply)
}
