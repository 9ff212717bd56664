import type { ITheme } from '@xterm/xterm'

/** The terminal's colors from the current design tokens. */
export function terminalTheme(element: Element): ITheme {
  const style = getComputedStyle(element)
  const token = (name: string): string => style.getPropertyValue(name).trim()
  const dark = style.colorScheme === 'dark'
  const neutral = token('--text-2')
  const faint = token('--text-3')
  const colors = {
    red: token('--red'),
    green: token('--green'),
    yellow: token('--amber'),
    blue: token('--ink'),
    cyan: token('--syn-string'),
    magenta: token('--syn-type'),
  }
  return {
    background: token('--paper'),
    foreground: token('--text-1'),
    cursor: token('--text-1'),
    cursorAccent: token('--paper'),
    selectionBackground: token('--rule-2'),
    selectionInactiveBackground: token('--rule-2'),
    scrollbarSliderBackground: token('--rule-2'),
    scrollbarSliderHoverBackground: token('--edge'),
    scrollbarSliderActiveBackground: token('--edge'),
    overviewRulerBorder: token('--paper'),
    black: dark ? token('--rule-2') : token('--text-1'),
    white: dark ? neutral : token('--rule-2'),
    brightBlack: faint,
    brightWhite: dark ? token('--text-1') : token('--rule'),
    ...colors,
    brightRed: colors.red,
    brightGreen: colors.green,
    brightYellow: colors.yellow,
    brightBlue: colors.blue,
    brightCyan: colors.cyan,
    brightMagenta: colors.magenta,
  }
}

/** Calls back when the theme or text size of the page changes. Returns a function that stops the calls. */
export function onAppearance(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-text'] })
  return () => observer.disconnect()
}
