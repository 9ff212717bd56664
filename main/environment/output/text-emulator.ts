import type { IMarker, Terminal } from '@xterm/headless'
import { plainText } from './control-sequences.ts'
import { draw, type EmulatorSize, openEmulator, rowText } from './terminal-emulator.ts'

/** Number of rows that the emulator keeps above the screen until they are read. */
const SCROLLBACK = 1000
/** Rows are read when there are this many, well before the emulator drops one. */
const READ_OUT_AT = 500

/**
 * Converts what a program draws into a stream of text as a user would read it: rows are emitted when they have scrolled off the screen
 * and can no longer change. Wrapped rows are joined into one line.
 */
export interface TextEmulator {
  /** Calls `drawn` when all of `data` has been drawn. `write` must not be called again before that. */
  write(data: string, drawn: () => void): void
  resize(size: EmulatorSize): void
  /** The lines of the current screen, without trailing spaces or trailing empty lines. */
  screen(): string
  /** Whether text that is added now appears after everything else. */
  appends(): boolean
  /** The text that has not been emitted yet. The emulator cannot be used afterwards. */
  rest(): string
}

/** A private-use character that represents a tab on the screen, because a terminal turns tabs into spaces. */
const TAB = '\u{10f809}'

/** Marks tabs in lines without cursor moves, so that they are emitted as they were written. */
function createTabMarker() {
  /** Whether the current line contains no cursor move so far. */
  let isPlainLine = true
  /** Tabs that wait for the rest of the line, because a cursor move may follow. */
  let held = ''
  return {
    mark(data: string): string {
      const [first = '', ...others] = (held + data).split('\n')
      const last = others.pop()
      const lines = last === undefined ? [] : [first, ...others]
      const marked = lines.map((line, at) => `${(at > 0 || isPlainLine) && isPlain(line) ? line.replaceAll('\t', TAB) : line}\n`).join('')
      const open = last ?? first
      const mayBePlain = (last !== undefined || isPlainLine) && isPlain(open)
      held = mayBePlain && open.includes('\t') ? open : ''
      isPlainLine = mayBePlain && (held !== '' || !open.endsWith('\r'))
      return held === '' ? marked + open : marked
    },
    isPlainLine: () => isPlainLine,
    /** Returns the text that was held back, because the line has ended. */
    rest: () => plainText(held) ?? '',
  }
}

const isPlain = (line: string): boolean => plainText(line.replace(/\r$/u, '')) !== null

/** `emit` is called with the text of rows as they leave the screen. A line break comes before a row, never after it. */
export async function openTextEmulator(size: EmulatorSize, convertEol: boolean, emit: (text: string) => void): Promise<TextEmulator> {
  const terminal = await openEmulator(size, SCROLLBACK, convertEol)
  const { normal } = terminal.buffer
  let isFirst = true
  const tabs = createTabMarker()
  let mark: IMarker | null = null

  /** Returns the rows from the mark up to `end`. */
  const take = (end: number): string => {
    const from = mark && mark.line >= 0 ? mark.line : 0
    let text = ''
    for (let row = from; row < end; row++) {
      const line = normal.getLine(row)
      if (!line) continue
      // For an index after the last row, the emulator would return rows that it has dropped.
      const isContinued = row + 1 < normal.length && normal.getLine(row + 1)?.isWrapped === true
      text += (isFirst || line.isWrapped ? '' : '\n') + rowText(line, isContinued).replaceAll(TAB, '\t')
      isFirst = false
    }
    return text
  }
  const readOut = (): void => {
    if (terminal.buffer.active !== normal) return
    const text = take(normal.baseY)
    if (text !== '') emit(text)
    mark?.dispose()
    mark = terminal.registerMarker(-normal.cursorY) ?? null
  }
  const waiting = (): number => normal.baseY - (mark && mark.line >= 0 ? mark.line : 0)

  terminal.onScroll(() => {
    if (waiting() >= READ_OUT_AT) readOut()
  })
  // A program that erases the scrollback must not erase rows that have not been emitted yet.
  terminal.parser.registerCsiHandler({ final: 'J' }, ([what]) => {
    if (what === 3) readOut()
    return false
  })
  return {
    write: (data, drawn) => void draw(terminal, tabs.mark(data)).then(drawn),
    resize(next) {
      readOut()
      terminal.resize(next.columns, next.rows)
    },
    screen: () => screenText(terminal),
    appends: () => tabs.isPlainLine() && tabs.rest() === '' && appends(terminal),
    rest() {
      const text = take(Math.max(lastRow(terminal), normal.baseY + normal.cursorY) + 1)
      const alternate = terminal.buffer.active === normal ? '' : `\n${screenText(terminal)}`
      terminal.dispose()
      return text + tabs.rest() + alternate
    },
  }
}

/** The index of the last row with text. -1 if there is none. */
function lastRow(terminal: Terminal): number {
  const { normal } = terminal.buffer
  let row = normal.length - 1
  while (row >= 0 && normal.getLine(row)?.translateToString(true) === '') row -= 1
  return row
}

function appends(terminal: Terminal): boolean {
  const { active, normal } = terminal.buffer
  const row = normal.baseY + normal.cursorY
  const length = normal.getLine(row)?.translateToString(true).length ?? 0
  // A row of wide characters has fewer characters than columns. In that case the emulator remains in use.
  return active === normal && lastRow(terminal) <= row && length === normal.cursorX
}

function screenText(terminal: Terminal): string {
  const { active } = terminal.buffer
  const lines = Array.from({ length: terminal.rows }, (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '')
  return lines.join('\n').replaceAll(TAB, '\t').trimEnd()
}
