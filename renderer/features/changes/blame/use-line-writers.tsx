import { useEffect } from 'react'
import type { LineWriter } from '../../../../shared/api/changes/blame.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { Desk } from '../../../state/desk.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { type AskedLines, type AskedWriters, PROPOSED, useAskedWriters } from '../../../tools/view/line-writers.tsx'
import { writersOf } from '../../../tools/view/writer-words.ts'
import type { SelectedLines } from '../../../ui/diff/code-diff.tsx'
import type { HunkPlace } from '../../../ui/diff/compare/compute-diff.ts'
import { type ReviewFile, sidesOf, type Versions } from '../review-files.ts'

export interface LineWriters extends Pick<AskedWriters, 'notes' | 'askLine'> {
  /** Writers of the added lines of the current hunk, or of the removed lines if it adds none. Empty until they are known. */
  readonly ofHunk: readonly LineWriter[]
  readonly isRemoved: boolean
  /** Shows who wrote the selected lines, or the current hunk if no lines are selected. A second call hides the answer. */
  readonly ask: () => void
}

/** Finds who wrote the lines of a file under review. */
export function useLineWriters(
  sessionId: SessionId,
  file: ReviewFile,
  { versions, place, selected }: { readonly versions: Versions; readonly place: HunkPlace | null; readonly selected: SelectedLines | null },
): LineWriters {
  const desk = useDesk()
  useEffect(() => desk.view.setState({ asked: null }), [desk])
  const own = place && linesOf(place)
  const wanted = { before: own?.side === 'deletions', after: true }
  const known = sidesOf(file, versions)
  const sides = file.isProposed ? { before: known.before, after: PROPOSED } : known
  const { setAsked, before, after, notes, askLine } = useAskedWriters(sessionId, sides, wanted, () => askedBefore(desk, file))
  const blame = own?.side === 'deletions' ? before.blame : after.blame
  return {
    ofHunk: own && blame ? writersOf(blame, own.from, own.to) : [],
    isRemoved: own?.side === 'deletions',
    notes,
    ask() {
      const lines = selected ?? own
      setAsked((asked) => (lines && !isSameLines(lines, asked?.shown) ? { shown: lines, traced: lines } : null))
    },
    askLine,
  }
}

/** The lines that the user asked about before the review was opened. Null if there are none. */
function askedBefore(desk: Desk, { absolute }: ReviewFile): AskedLines | null {
  const { asked } = desk.view.getState()
  if (asked?.path !== absolute || asked.isWhole) return null
  const lines = { side: asked.side, from: asked.line, to: asked.line }
  return { shown: lines, traced: lines }
}

const isSameLines = (a: SelectedLines, b: SelectedLines | undefined): boolean => a.side === b?.side && a.from === b.from && a.to === b.to

/** The added lines of a hunk, or the removed ones if it adds none. */
function linesOf({ before, after }: HunkPlace): SelectedLines {
  return after[1] > after[0]
    ? { side: 'additions', from: after[0] + 1, to: after[1] }
    : { side: 'deletions', from: before[0] + 1, to: before[1] }
}
