import type { KeyboardEvent } from 'react'
import { kept, type Piece, postponed, refused } from '../../../state/stores/review-decisions.ts'
import { isTyping } from '../../../state/commands/key-combinations.ts'
import type { Review } from './use-request-review.ts'

/**
 * J and K (or Alt with arrow keys) move from hunk to hunk, with Shift from file to file. Y, N and E keep, refuse and edit. L leaves the
 * decision to a later request, where that is possible. Shift+Y keeps the rest.
 */
export function onReviewKey(event: KeyboardEvent, review: Review): void {
  const { current, rows, pieces, decided, change } = review
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || !current) return
  const act = actionOf(event, current)
  if (!act) return
  event.preventDefault()
  act()

  function actionOf({ key, altKey, shiftKey }: KeyboardEvent, at: Piece): (() => void) | null {
    const letter = key.toLowerCase()
    if (altKey) return key === 'ArrowDown' ? () => go(at, 1) : key === 'ArrowUp' ? () => go(at, -1) : null
    if (letter === 'j' || letter === 'k') return () => (shiftKey ? goToFile : go)(at, letter === 'j' ? 1 : -1)
    if (shiftKey) return letter === 'y' ? () => change((known) => kept(known, keysOf(pieces))) : null
    const row = keysOf(rowOf(at))
    if (letter === 'y' || letter === 'a') return () => change((known) => kept(known, row))
    if (letter === 'n' || letter === 'r') return () => change((known) => refused(known, row))
    if (letter === 'l' && review.canWait) return () => change((known) => postponed(known, row))
    if (letter === 'e' && at.kind === 'hunk' && decided.editing === null)
      return () => change((known) => ({ ...known, editing: at.key, current: at.key }))
    return null
  }
  function rowOf(piece: Piece): readonly Piece[] {
    return rows.find((row) => row.includes(piece)) ?? [piece]
  }
  function go(from: Piece, by: number): void {
    show(rows[rows.indexOf(rowOf(from)) + by]?.[0])
  }
  function goToFile(from: Piece, by: number): void {
    const row = rowOf(from)
    const starts = rows.filter(([first], at) => first?.path !== rows[at - 1]?.[0]?.path)
    const here = starts.findIndex(([first]) => first?.path === row[0]?.path)
    show(starts[here + by]?.[0])
  }
  function show(piece: Piece | undefined): void {
    if (piece) change((known) => ({ ...known, current: piece.key }))
  }
}

const keysOf = (pieces: readonly Piece[]): readonly string[] => pieces.map(({ key }) => key)
