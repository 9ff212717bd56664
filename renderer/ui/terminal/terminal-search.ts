import type { Terminal } from '@xterm/xterm'

/** The number of matches, and which one is selected, from 1. Both are 0 without matches. */
export interface Sought {
  readonly at: number
  readonly of: number
}

interface Place {
  readonly row: number
  readonly column: number
}

/**
 * Finds words in everything that the terminal still has. Selects the match after (1) or before (-1) the selected one, or the last match
 * (null).
 */
export function searchTerminal(terminal: Terminal, words: string, by: 1 | -1 | null): Sought {
  const places = placesOf(terminal, words)
  if (places.length === 0) {
    terminal.clearSelection()
    return { at: 0, of: 0 }
  }
  const start = terminal.getSelectionPosition()?.start
  const index = nextOf(places, start && by !== null ? { row: start.y, column: start.x, by } : null)
  const place = places[index]
  if (place) {
    terminal.select(place.column, place.row, words.length)
    terminal.scrollToLine(Math.max(0, place.row - Math.floor(terminal.rows / 2)))
  }
  return { at: index + 1, of: places.length }
}

function nextOf(places: readonly Place[], from: (Place & { readonly by: 1 | -1 }) | null): number {
  if (from === null) return places.length - 1
  const isAfter = ({ row, column }: Place): boolean => row > from.row || (row === from.row && column > from.column)
  const isBefore = ({ row, column }: Place): boolean => row < from.row || (row === from.row && column < from.column)
  const found = from.by === 1 ? places.findIndex(isAfter) : places.findLastIndex(isBefore)
  if (found !== -1) return found
  return from.by === 1 ? 0 : places.length - 1
}

function placesOf({ buffer: { active } }: Terminal, words: string): readonly Place[] {
  const sought = words.toLowerCase()
  const places: Place[] = []
  if (sought === '') return places
  for (let row = 0; row < active.length; row++) {
    const text = active.getLine(row)?.translateToString(true).toLowerCase() ?? ''
    for (let column = text.indexOf(sought); column !== -1; column = text.indexOf(sought, column + sought.length))
      places.push({ row, column })
  }
  return places
}

/** The last lines of the terminal as text, without the empty ones at the end. */
export function lastLines({ buffer: { active } }: Terminal, most: number): string {
  const lines: string[] = []
  for (let row = Math.max(0, active.length - most - 1_000); row < active.length; row++) {
    const line = active.getLine(row)
    const text = line?.translateToString(true) ?? ''
    if (line?.isWrapped === true && lines.length > 0) lines.push((lines.pop() ?? '') + text)
    else lines.push(text)
  }
  return lines.join('\n').trimEnd().split('\n').slice(-most).join('\n')
}
