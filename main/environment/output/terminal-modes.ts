import type { Terminal } from '@xterm/headless'

/** The part of a terminal's state that the serializer does not save. The serializer saves the cells. */
export interface TerminalModes {
  /** The sequences that bring another terminal with the same cells to the same state, including the cursor position. */
  sequence(): string
}

/**
 * Keeps track of these parts of a terminal's state from its start: margins, the saved cursor, the line drawing set, and whether the cursor
 * is hidden.
 */
export function followModes(terminal: Terminal): TerminalModes {
  const { parser, buffer } = terminal
  let margins: readonly [number, number] | null = null
  let saved: readonly [number, number] | null = null
  let drawsLines = false
  let isHidden = false
  const forget = (): void => {
    margins = null
    saved = null
  }
  /** Wraps a handler that only observes. The terminal itself still handles the sequence. */
  const on = (look: () => void) => (): boolean => {
    look()
    return false
  }
  const save = on(() => (saved = [buffer.active.cursorY + 1, buffer.active.cursorX + 1]))
  parser.registerEscHandler({ final: '7' }, save)
  parser.registerCsiHandler({ final: 's' }, save)
  parser.registerCsiHandler({ final: 'r' }, ([top, bottom]) => {
    const first = Number(top) || 1
    const last = Number(bottom) || terminal.rows
    margins = first === 1 && last >= terminal.rows ? null : [first, last]
    return false
  })
  for (const final of ['0', 'B'])
    parser.registerEscHandler(
      { intermediates: '(', final },
      on(() => (drawsLines = final === '0')),
    )
  for (const final of ['h', 'l']) {
    parser.registerCsiHandler({ prefix: '?', final }, (modes) => {
      if (modes.includes(25)) isHidden = final === 'l'
      return false
    })
  }
  parser.registerEscHandler(
    { final: 'c' },
    on(() => {
      forget()
      drawsLines = false
      isHidden = false
    }),
  )
  buffer.onBufferChange(forget)
  terminal.onResize(forget)

  const place = (row: number, column: number): string => {
    const top = terminal.modes.originMode && margins ? margins[0] - 1 : 0
    return `\x1b[${row - top};${column}H`
  }
  return {
    sequence() {
      const { cursorY, cursorX } = buffer.active
      const cursor = place(cursorY + 1, cursorX + 1)
      const parts = [margins ? `\x1b[${margins.join(';')}r` : '', saved ? `${place(...saved)}\x1b7` : '']
      const moves = parts.join('') !== '' || terminal.modes.originMode
      return `${parts.join('')}${moves ? cursor : ''}${drawsLines ? '\x1b(0' : ''}${isHidden ? '\x1b[?25l' : ''}`
    },
  }
}
