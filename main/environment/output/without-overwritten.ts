/** Color sequences, which do not change the columns of the text. */
const COLOUR = /\x1b\[[\d;:]*m/g
/** Text of single-column characters that starts in the first column, with optional erasing before and after it. */
const PLAIN = /^(\x1b\[[02]?K)?([\x20-\x7e]*)(\x1b\[0?K)?$/

/**
 * Removes output that later output in the same piece overwrites. Of a progress bar that was drawn a thousand times, only the last state
 * remains. On a screen with this number of columns, the result looks the same, but is drawn in a fraction of the time. The colors of
 * removed text are lost.
 */
export function withoutOverwritten(piece: string, columns: number): string {
  if (!/\r[^\r\n]*\r/u.test(piece)) return piece
  return piece
    .split('\n')
    .map((line) => lastStates(line, columns))
    .join('\n')
}

function lastStates(line: string, columns: number): string {
  const kept: string[] = []
  // The number of columns that later text writes or erases.
  let covered = 0
  // Whether any kept text erases everything from the first column on. This also ends the wrapping of a longer, overwritten line.
  let isCutOff = false
  let end = line.length
  for (let at = line.lastIndexOf('\r'); at >= 0; at = at === 0 ? -1 : line.lastIndexOf('\r', at - 1)) {
    const from = at + 1
    // The last part is kept even if it is empty, because it determines the cursor position.
    const isGone = kept.length > 0 && end - from <= covered && end - from < columns && isPrintable(line, from, end)
    if (!isGone) {
      const state = line.slice(from, end)
      const { columnsTaken, isErased, cutsOff } = stateOf(state, columns)
      const isUnder = columnsTaken !== null && (covered === Infinity || (!isErased && columnsTaken <= covered))
      if (kept.length === 0 || !isUnder || (cutsOff && !isCutOff)) {
        kept.push(state)
        isCutOff ||= cutsOff
      }
      covered = columnsTaken === null ? 0 : isErased ? Infinity : Math.max(covered, columnsTaken)
    }
    end = at
  }
  return [line.slice(0, end), ...kept.reverse()].join('\r')
}

interface State {
  readonly columnsTaken: number | null
  readonly isErased: boolean
  readonly cutsOff: boolean
}

/** `columnsTaken` is null if the text may move the cursor or wrap, so that it is unknown what the text overwrites. */
function stateOf(state: string, columns: number): State {
  const [, before, text, behind] = PLAIN.exec(state.includes('\x1b') ? state.replace(COLOUR, '') : state) ?? []
  if (text === undefined || text.length >= columns) return { columnsTaken: null, isErased: false, cutsOff: false }
  const isErased = before !== undefined || behind !== undefined
  return { columnsTaken: text.length, isErased, cutsOff: before !== undefined || (isErased && text === '') }
}

function isPrintable(text: string, from: number, end: number): boolean {
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}
