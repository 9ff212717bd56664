/** What changes nothing of which columns a text takes: colours. */
const COLOUR = /\x1b\[[\d;:]*m/g
/** Text of single columns that stands from the first column on, with what it erases before and behind itself. */
const PLAIN = /^(\x1b\[[02]?K)?([\x20-\x7e]*)(\x1b\[0?K)?$/

/**
 * Output without what its own rest writes over: of a progress bar that was drawn a thousand times in one piece the last state is left.
 * What comes out of a screen of so many columns is the same, drawn in a fraction of the time. Colours of what goes are lost.
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
  // Columns that what follows fills or empties.
  let covered = 0
  // Something that is left erases from the first column on, which also ends the wrapping of a longer line that is written over.
  let isCutOff = false
  let end = line.length
  for (let at = line.lastIndexOf('\r'); at >= 0; at = at === 0 ? -1 : line.lastIndexOf('\r', at - 1)) {
    const from = at + 1
    // The last one says where what comes next stands, even if it is empty.
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

/** `columnsTaken` null: it may move elsewhere, or wrap, so that what stands before it is not known to be written over. */
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
