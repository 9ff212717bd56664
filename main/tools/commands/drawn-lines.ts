/** Control characters. A line without any is returned unchanged. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/u
/**
 * Matches an escape sequence (with its numbers and letter if it moves the cursor or erases), a control character, or a printed character.
 */
const PIECE =
  /\x1b\[([\d;]*)([A-Za-z@`])|\x1b\[[^@-~]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b(?:\[[^@-~]*)?$|\x1b[ -/]*[0-~]|([\r\b])|[\x00-\x08\x0b-\x1f\x7f]|./gsu

/**
 * Printed text as a terminal shows each line: without overwritten and erased parts, and without colors. Cursor moves to other lines are
 * ignored, so a line that is redrawn from another line appears again as new output.
 */
export function drawnLines(text: string): string {
  if (!CONTROL.test(text)) return text
  return text
    .split('\n')
    .map((line) => (CONTROL.test(line) ? drawn(line) : line))
    .join('\n')
}

interface Line {
  readonly cells: string[]
  column: number
}

function drawn(text: string): string {
  const line: Line = { cells: [], column: 0 }
  for (const [piece, numbers, letter, back] of text.matchAll(PIECE)) {
    if (letter !== undefined) change(line, letter, Number(numbers || 0))
    else if (back !== undefined) line.column = back === '\r' ? 0 : Math.max(0, line.column - 1)
    else if (!CONTROL.test(piece)) put(line, piece)
  }
  return line.cells.join('').trimEnd()
}

/** Maximum number of columns of a line. */
const MAX_COLUMNS = 10_000

function put(line: Line, character: string): void {
  const { cells } = line
  while (cells.length < line.column) cells.push(' ')
  cells[line.column++] = character
}

function change(line: Line, letter: string, number: number): void {
  const { cells, column } = line
  const steps = Math.max(1, number)
  switch (letter) {
    case 'K':
      if (number === 0) cells.length = Math.min(cells.length, column)
      else cells.fill(' ', 0, number === 1 ? column + 1 : cells.length)
      return
    case 'G':
    case '`':
      line.column = Math.min(steps - 1, MAX_COLUMNS)
      return
    case 'C':
      line.column = Math.min(column + steps, MAX_COLUMNS)
      return
    case 'D':
      line.column = Math.max(0, column - steps)
      return
    case 'P':
      cells.splice(column, steps)
      return
    default:
  }
}
