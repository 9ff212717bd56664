import { visible } from './visible-text.ts'

/** The prefix of each row of some text. Prefixes may contain color codes, which take up no cells, so the width is given separately. */
export interface Margin {
  /** The prefix of each line of the text. */
  readonly first: string
  /** The prefix of each continuation row of a line that is wider than the terminal. */
  readonly rest: string
  /** The number of cells of each prefix. */
  readonly cells: number
}

/** The margin of untrusted text: output, files, commands. Countersign's own lines never start like this. */
export const FOREIGN: Margin = { first: '   | ', rest: '   : ', cells: 5 }

/** The margin of every row of the agent's text. Nothing else starts like this. */
export const SAID: Margin = { first: '> ', rest: '> ', cells: 2 }

/** Minimum width for which lines are divided into rows. A narrower terminal wraps the lines itself. */
const NARROWEST = 20

/**
 * Untrusted text as escaped rows for a terminal of `width` cells (null: not a terminal), each after its margin. No row is wider than the
 * terminal, so wrapped text can never start where Countersign's own lines start.
 */
export function rowsOf(text: string, margin: Margin, width: number | null): readonly string[] {
  return visible(text)
    .split('\n')
    .flatMap((line) =>
      pieces(line, width === null ? null : width - margin.cells).map((piece, at) => (at ? margin.rest : margin.first) + piece),
    )
}

function pieces(line: string, width: number | null): readonly string[] {
  if (width === null || width < NARROWEST || line.length * MAX_CELLS <= width) return [line]
  const found: string[] = []
  let piece = ''
  let cells = 0
  for (const character of line) {
    const more = cellsOf(character)
    if (cells + more > width) {
      found.push(piece)
      piece = ''
      cells = 0
    }
    piece += character
    cells += more
  }
  return [...found, piece]
}

/** Maximum number of terminal cells that one character can take up. A tab is counted as this many. */
const MAX_CELLS = 8

/** Returns at least as many cells as the terminal uses, because ending a row too early is harmless. */
function cellsOf(character: string): number {
  if (character === '\t') return MAX_CELLS
  return (character.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2
}

/** Writes streamed text. Rows break between words if possible. A word is written when it is complete. */
export interface RowStream {
  add(text: string): void
  /** Ends the current row, if there is one. */
  end(): void
}

export function streamRows(write: (text: string) => void, margin: Margin, width: () => number | null): RowStream {
  let rows = ''
  let column = 0
  let word = ''
  let wordCells = 0
  let most = Infinity
  const breakRow = (): void => {
    rows += '\n'
    column = 0
  }
  const put = (character: string): void => {
    const cells = cellsOf(character)
    if (column > 0 && column + cells > most) breakRow()
    if (column === 0) {
      rows += margin.first
      column = margin.cells
    }
    rows += character
    column += cells
  }
  const putWord = (): void => {
    if (column > 0 && column + wordCells > most && margin.cells + wordCells <= most) breakRow()
    for (const character of word) put(character)
    word = ''
    wordCells = 0
  }
  const send = (): void => {
    if (rows !== '') write(rows)
    rows = ''
  }
  return {
    add(text) {
      const cells = width()
      most = cells === null || cells < NARROWEST ? Infinity : cells
      for (const character of visible(text)) {
        if (character !== ' ' && character !== '\n') {
          word += character
          wordCells += cellsOf(character)
          if (wordCells > most) putWord()
          continue
        }
        putWord()
        if (character === ' ' && column < most) put(character)
        else {
          if (column === 0) rows += margin.first.trimEnd()
          breakRow()
        }
      }
      send()
    },
    end() {
      putWord()
      if (column > 0) breakRow()
      send()
    },
  }
}
