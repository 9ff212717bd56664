import type { IBufferLine, Terminal } from '@xterm/headless'
import { eventLoopTurn } from '../../agent/event-loop-slices.ts'

export interface EmulatorSize {
  readonly columns: number
  readonly rows: number
}

/** Opens a headless terminal. The library is loaded on first use. `scrollback` is in rows. */
export async function openEmulator({ columns, rows }: EmulatorSize, scrollback: number, convertEol = false): Promise<Terminal> {
  type Module = typeof import('@xterm/headless')
  // Node cannot detect named exports of xterm's CommonJS file.
  const loaded: Module & { readonly default?: Module } = await import('@xterm/headless')
  const { Terminal } = loaded.default ?? loaded
  // Loading the library takes 30 ms and creating the first terminal 10 ms, so other work gets a turn in between.
  await eventLoopTurn()
  const terminal = new Terminal({ cols: columns, rows, scrollback, convertEol, allowProposedApi: true, logLevel: 'off' })
  refuseLongRepeats(terminal)
  return terminal
}

/** Number of characters that a terminal draws in one step, which takes a few milliseconds. */
const DRAWN_AT_ONCE = 32 * 1024
/** Number of characters after which another terminal may draw. While drawing them, the emulator pauses after every 12 ms. */
const DRAWN_IN_TURN = 128 * 1024

let lastTurn: Promise<void> = Promise.resolve()

/**
 * Draws text in small pieces, and resolves when all of it is drawn. In each turn of the event loop, only one terminal draws a piece, because
 * a piece may take some milliseconds and twenty commands may print at the same time. Do not call this again for a terminal before its
 * previous call has resolved. Dispose of a terminal only when nothing is being drawn.
 */
export async function draw(terminal: Terminal, text: string): Promise<void> {
  for (let from = 0; from === 0 || from < text.length; from += DRAWN_IN_TURN) {
    const part = text.slice(from, from + DRAWN_IN_TURN)
    lastTurn = lastTurn.then(() => drawPart(terminal, part))
    await lastTurn
  }
}

async function drawPart(terminal: Terminal, text: string): Promise<void> {
  // Otherwise the timers of two terminals could start each other again and again before anything else gets its turn.
  await eventLoopTurn()
  const { promise, resolve } = Promise.withResolvers<void>()
  for (let from = 0; from < text.length; from += DRAWN_AT_ONCE) terminal.write(text.slice(from, from + DRAWN_AT_ONCE))
  terminal.write('', resolve)
  await promise
}

/**
 * Ignores the sequence that repeats the last character if the count is larger than the screen. The largest count would use 4 GB, and no
 * program needs more than a full screen.
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
