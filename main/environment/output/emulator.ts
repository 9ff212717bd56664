import type { IBufferLine, Terminal } from '@xterm/headless'

export interface EmulatorSize {
  readonly columns: number
  readonly rows: number
}

/** A headless terminal; the library is loaded with the first one. `scrollback` in rows. */
export async function openEmulator({ columns, rows }: EmulatorSize, scrollback: number, convertEol = false): Promise<Terminal> {
  type Module = typeof import('@xterm/headless')
  // Node finds no named exports in its CommonJS file.
  const loaded: Module & { readonly default?: Module } = await import('@xterm/headless')
  const { Terminal } = loaded.default ?? loaded
  const terminal = new Terminal({ cols: columns, rows, scrollback, convertEol, allowProposedApi: true, logLevel: 'off' })
  refuseLongRepeats(terminal)
  return terminal
}

/** "Repeat the last character n times" would take 4 GB for the largest n; nobody repeats beyond a screen. */
function refuseLongRepeats(terminal: Terminal): void {
  terminal.parser.registerCsiHandler({ final: 'b' }, ([count]) => typeof count === 'number' && count > terminal.cols * terminal.rows)
}

/** The text of one row; the blank that a wide character leaves before it wraps is not part of it. */
export function rowText(line: IBufferLine, isContinued: boolean): string {
  if (!isContinued) return line.translateToString(true)
  const last = line.getCell(line.length - 1)
  const isGap = last?.getChars() === '' && last.getWidth() === 1
  return line.translateToString(false, 0, isGap ? line.length - 1 : line.length)
}
