import type { IBufferLine, Terminal } from '@xterm/headless'

export interface EmulatorSize {
  readonly columns: number
  readonly rows: number
}

/** Opens a headless terminal. The library is loaded on first use. `scrollback` is in rows. */
export async function openEmulator({ columns, rows }: EmulatorSize, scrollback: number, convertEol = false): Promise<Terminal> {
  type Module = typeof import('@xterm/headless')
  // Node cannot detect the named exports of its CommonJS file.
  const loaded: Module & { readonly default?: Module } = await import('@xterm/headless')
  const { Terminal } = loaded.default ?? loaded
  const terminal = new Terminal({ cols: columns, rows, scrollback, convertEol, allowProposedApi: true, logLevel: 'off' })
  refuseLongRepeats(terminal)
  return terminal
}

/**
 * Limits the sequence that repeats the last character: the largest count would use 4 GB, and programs repeat a character at most to fill
 * a screen.
 */
function refuseLongRepeats(terminal: Terminal): void {
  terminal.parser.registerCsiHandler({ final: 'b' }, ([count]) => typeof count === 'number' && count > terminal.cols * terminal.rows)
}

/** The text of one row, without the blank cell before a wide character that wrapped. */
export function rowText(line: IBufferLine, isContinued: boolean): string {
  if (!isContinued) return line.translateToString(true)
  const last = line.getCell(line.length - 1)
  const isGap = last?.getChars() === '' && last.getWidth() === 1
  return line.translateToString(false, 0, isGap ? line.length - 1 : line.length)
}
