import type { ITheme } from '@xterm/xterm'

/** The terminal's colours out of our tokens as they stand (look §4). */
export function terminalTheme(element: Element): ITheme {
  const style = getComputedStyle(element)
  const token = (name: string): string => style.getPropertyValue(name).trim()
  const dark = style.colorScheme === 'dark'
  const [neutral, faint] = [token('--text-2'), token('--text-3')]
  const colours = {
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
    ...colours,
    brightRed: colours.red,
    brightGreen: colours.green,
    brightYellow: colours.yellow,
    brightBlue: colours.blue,
    brightCyan: colours.cyan,
    brightMagenta: colours.magenta,
  }
}

/** Calls back whenever theme or text size of the page change. Returns what ends it. */
export function onAppearance(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-text'] })
  return () => observer.disconnect()
}
