/** The part of a terminal's buffer that `usedRows` needs. */
export interface ScreenBuffer {
  readonly type: 'normal' | 'alternate'
  readonly baseY: number
  readonly cursorY: number
  readonly rows: number
  /** Text of a screen row, counted from 0, without trailing spaces. */
  readonly textOf: (row: number) => string
}

/**
 * The number of rows down to the last one that has text or, if `cursorCounts` is true, the cursor. All rows if the terminal has scrolled or
 * shows the alternate screen.
 */
export function usedRows({ type, baseY, cursorY, rows, textOf }: ScreenBuffer, cursorCounts: boolean): number {
  if (type === 'alternate' || baseY > 0) return rows
  for (let row = rows - 1; row > 0; row--) {
    if (textOf(row) !== '' || (cursorCounts && row === cursorY)) return row + 1
  }
  return 1
}
