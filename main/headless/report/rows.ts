import { visible } from './visible.ts'

/** What stands before a text on its rows. Colours take no cells, so the width of both is given apart. */
export interface Margin {
  /** Before each line of the text. */
  readonly first: string
  /** Before each further row of a line that is longer than the terminal is wide. */
  readonly rest: string
  /** Cells that each of them takes. */
  readonly cells: number
}

/** Behind a bar stand foreign words: output, a file, a command. Our own lines never begin like this. */
export const FOREIGN: Margin = { first: '   | ', rest: '   : ', cells: 5 }

/** The agent's words, each row of them: nothing of ours begins like this, and nothing of the agent's in any other way. */
export const SAID: Margin = { first: '> ', rest: '> ', cells: 2 }

/** A terminal narrower than this is left to wrap by itself. */
const NARROWEST = 20

/**
 * A foreign text as rows of a terminal of `width` cells (null: not a terminal, rows of any length), cleaned, each behind its margin. Since no
 * row is longer than the terminal, nothing of it can come to stand where our own lines begin.
 */
export function rowsOf(text: string, margin: Margin, width: number | null): readonly string[] {
  return visible(text)
    .split('\n')
    .flatMap((line) =>
      pieces(line, width === null ? null : width - margin.cells).map((piece, at) => (at ? margin.rest : margin.first) + piece),
    )
}

function pieces(line: string, width: number | null): readonly string[] {
  if (width === null || width < NARROWEST || line.length * MOST_CELLS <= width) return [line]
  const found: string[] = []
  let [piece, cells] = ['', 0]
  for (const character of line) {
    const more = cellsOf(character)
    if (cells + more > width) {
      found.push(piece)
      ;[piece, cells] = ['', 0]
    }
    piece += character
    cells += more
  }
  return [...found, piece]
}

/** Cells that a tab takes at most. */
const MOST_CELLS = 8

/** Never fewer than a terminal takes for a character: a row that ends early is harmless. */
function cellsOf(character: string): number {
  if (character === '\t') return MOST_CELLS
  return (character.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2
}

/** Writes a text that comes in pieces; a row ends between words where it can. A word is written when it is whole. */
export interface RowStream {
  add(text: string): void
  /** Ends the row that is being written, if there is one. */
  end(): void
}

export function streamRows(write: (text: string) => void, margin: Margin, width: () => number | null): RowStream {
  let [rows, column, word, wordCells] = ['', 0, '', 0]
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
    ;[word, wordCells] = ['', 0]
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
