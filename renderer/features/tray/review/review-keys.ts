import type { KeyboardEvent } from 'react'
import { accepted, type Piece, rejected } from '../../../state/stores/review-decisions.ts'
import { isTyping } from '../../../state/commands/key-combinations.ts'
import type { Review } from './use-request-review.ts'

/**
 * J and K (or Alt with arrow keys) move from hunk to hunk, with Shift from file to file. Y, N and E accept, reject and edit. Shift+Y
 * accepts the rest.
 */
export function onReviewKey(event: KeyboardEvent, review: Review): void {
  const { current, pieces, change } = review
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || !current) return
  const act = actionOf(event, review, current)
  if (!act) return
  event.preventDefault()
  act()

  function actionOf({ key, altKey, shiftKey }: KeyboardEvent, { decided }: Review, at: Piece): (() => void) | null {
    const letter = key.toLowerCase()
    if (altKey) return key === 'ArrowDown' ? () => go(1) : key === 'ArrowUp' ? () => go(-1) : null
    if (letter === 'j' || letter === 'k') return () => (shiftKey ? goToFile : go)(letter === 'j' ? 1 : -1)
    if (shiftKey)
      return letter === 'y'
        ? () =>
            change((known) =>
              accepted(
                known,
                pieces.map((piece) => piece.key),
              ),
            )
        : null
    if (letter === 'y' || letter === 'a') return () => change((known) => accepted(known, [at.key]))
    if (letter === 'n' || letter === 'r') return () => change((known) => rejected(known, at.key))
    if (letter === 'e' && at.kind === 'hunk' && decided.editing === null)
      return () => change((known) => ({ ...known, editing: at.key, current: at.key }))
    return null
  }
  function go(by: number): void {
    const to = pieces[pieces.indexOf(current as Piece) + by]
    if (to) change((known) => ({ ...known, current: to.key }))
  }
  function goToFile(by: number): void {
    const paths = [...new Set(pieces.map(({ path }) => path))]
    const path = paths[paths.indexOf((current as Piece).path) + by]
    const to = pieces.find((piece) => piece.path === path)
    if (to) change((known) => ({ ...known, current: to.key }))
  }
}
