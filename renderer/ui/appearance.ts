/** What the person chose; `system` follows the desktop. */
export interface Appearance {
  readonly theme: 'system' | 'light' | 'dark'
  /** 0.92, 1 or 1.15 of every text token. */
  readonly text: 'small' | 'normal' | 'large'
}

/** Sets theme and text size on the document, and follows the system while `theme` says so. Returns what ends the following. */
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
