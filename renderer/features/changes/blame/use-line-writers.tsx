import { useEffect, useMemo, useState } from 'react'
import type { LineWriter } from '../../../../shared/api/changes/blame.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { Desk } from '../../../state/desk.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { useBlame } from '../../../state/hooks/changes/use-blame.ts'
import type { LineNote, SelectedLines } from '../../../ui/diff/code-diff.tsx'
import type { HunkPlace, LinePlace } from '../../../ui/diff/compare/compute-diff.ts'
import type { ReviewFile } from '../review-files.ts'
import type { Versions } from '../use-review.ts'
import { WritersNote } from './written-by.tsx'
import { writersOf } from './writer-words.ts'

export interface LineWriters {
  /** Writers of the added lines of the current hunk, or of the removed lines if it adds none. Empty until they are known. */
  readonly ofHunk: readonly LineWriter[]
  readonly isRemoved: boolean
  /** The answer, shown below the lines that the user asked about. */
  readonly notes: readonly LineNote[]
  /** Shows who wrote the selected lines, or the current hunk if no lines are selected. A second call hides the answer. */
  readonly ask: () => void
  readonly askLine: (line: LinePlace) => void
}

/** Finds who wrote the lines of a file under review. */
export function useLineWriters(
  sessionId: SessionId,
  file: ReviewFile,
  { versions, place, selected }: { readonly versions: Versions; readonly place: HunkPlace | null; readonly selected: SelectedLines | null },
): LineWriters {
  const desk = useDesk()
  const [asked, setAsked] = useState<SelectedLines | null>(() => askedBefore(desk, file))
  useEffect(() => desk.view.setState({ asked: null }), [desk])
  const own = place && linesOf(place)
  const needsBefore = asked?.side === 'deletions' || own?.side === 'deletions'
  const after = useBlame(sessionId, file.absolute, file.git?.side === 'unstaged' ? 'now' : versions.after)
  const before = useBlame(sessionId, file.movedFrom?.path ?? file.absolute, needsBefore ? versions.base : null)
  const notes = useMemo((): readonly LineNote[] => {
    if (!asked) return []
    const { blame, trouble } = asked.side === 'deletions' ? before : after
    const words = asked.from === asked.to ? `line ${asked.to}` : `lines ${asked.from} to ${asked.to}`
    const node = (
      <WritersNote
        place={words}
        here={sessionId}
        writers={blame && writersOf(blame, asked.from, asked.to)}
        trouble={trouble}
        onClose={() => setAsked(null)}
      />
    )
    return [{ id: 'writers', side: asked.side, line: asked.to, node, shown: true }]
  }, [asked, before, after, sessionId])
  const blame = own?.side === 'deletions' ? before.blame : after.blame
  return {
    ofHunk: own && blame ? writersOf(blame, own.from, own.to) : [],
    isRemoved: own?.side === 'deletions',
    notes,
    ask() {
      const lines = selected ?? own
      setAsked((shown) => (lines && shown?.side === lines.side && shown.from === lines.from && shown.to === lines.to ? null : lines))
    },
    askLine: ({ side, line }) => setAsked({ side, from: line, to: line }),
  }
}

/** The lines that the user asked about before the review was opened. Null if there are none. */
function askedBefore(desk: Desk, { absolute }: ReviewFile): SelectedLines | null {
  const { asked } = desk.view.getState()
  return asked?.path === absolute && !asked.isWhole ? { side: asked.side, from: asked.line, to: asked.line } : null
}

/** The added lines of a hunk, or the removed ones if it adds none. */
function linesOf({ before, after }: HunkPlace): SelectedLines {
  return after[1] > after[0]
    ? { side: 'additions', from: after[0] + 1, to: after[1] }
    : { side: 'deletions', from: before[0] + 1, to: before[1] }
}
