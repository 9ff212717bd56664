/** What is asked of a terminal's buffer to see how much of its screen is used. */
export interface ScreenBuffer {
  readonly type: 'normal' | 'alternate'
  readonly baseY: number
  readonly cursorY: number
  readonly rows: number
  /** Text of a row of the screen, from 0, blanks at its end cut. */
  readonly textOf: (row: number) => string
}

/** Rows from the top that hold something or the cursor: a command that printed two lines needs no empty screen below them. */
export function usedRows({ type, baseY, cursorY, rows, textOf }: ScreenBuffer, cursorCounts: boolean): number {
  if (type === 'alternate' || baseY > 0) return rows
  for (let row = rows - 1; row > 0; row--) {
    if (textOf(row) !== '' || (cursorCounts && row === cursorY)) return row + 1
  }
  return 1
}
