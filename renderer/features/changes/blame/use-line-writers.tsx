import { useEffect, useMemo, useState } from 'react'
import type { LineWriter } from '../../../../shared/api/changes/blame.ts'
import type { BlobHash, SessionId } from '../../../../shared/lib/ids.ts'
import type { Desk } from '../../../state/desk.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { useBlame } from '../../../state/hooks/changes/use-blame.ts'
import type { LineAction, LineNote, SelectedLines } from '../../../ui/diff/code-diff.tsx'
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
  useEffect(() => desk.view.setState({ asked: null }), [desk])
  const own = place && linesOf(place)
  const sides: Sides = {
    before: { path: file.movedFrom?.path ?? file.absolute, version: versions.base },
    after: { path: file.absolute, version: file.git?.side === 'unstaged' ? 'now' : versions.after },
  }
  const wanted = { before: own?.side === 'deletions', after: true }
  const { setAsked, before, after, notes, askLine } = useAskedWriters(sessionId, sides, wanted, () => askedBefore(desk, file))
  const blame = own?.side === 'deletions' ? before.blame : after.blame
  return {
    ofHunk: own && blame ? writersOf(blame, own.from, own.to) : [],
    isRemoved: own?.side === 'deletions',
    notes,
    ask() {
      const lines = selected ?? own
      setAsked((shown) => (lines && shown?.side === lines.side && shown.from === lines.from && shown.to === lines.to ? null : lines))
    },
    askLine,
  }
}

/**
 * A version of a file. `now` means the file in the folder. Null if the file did not exist in this version or its content was not stored.
 */
interface Side {
  readonly path: string
  readonly version: BlobHash | 'now' | null
}

export interface Sides {
  readonly before: Side
  readonly after: Side
}

const NOTHING_WANTED = { before: false, after: false }

/**
 * Finds who wrote lines of a difference when the user asks. `wanted`: the sides whose writers are looked up before the user asks. `first`:
 * the lines that the user has already asked about.
 */
function useAskedWriters(
  sessionId: SessionId,
  sides: Sides,
  wanted: { readonly before: boolean; readonly after: boolean },
  first: () => SelectedLines | null,
) {
  const [asked, setAsked] = useState(first)
  const isWanted = { before: wanted.before || asked?.side === 'deletions', after: wanted.after || asked?.side === 'additions' }
  const before = useBlame(sessionId, sides.before.path, isWanted.before ? sides.before.version : null)
  const after = useBlame(sessionId, sides.after.path, isWanted.after ? sides.after.version : null)
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
  const askLine = ({ side, line }: LinePlace): void => setAsked({ side, from: line, to: line })
  return { asked, setAsked, before, after, notes, askLine }
}

/** Returns the line menu of a read-only diff, with "Who wrote this line", and the answer to show below the line. */
export function useWritersMenu(
  sessionId: SessionId,
  sides: Sides,
): { readonly notes: readonly LineNote[]; readonly lineActions: readonly LineAction[] } {
  const { notes, askLine } = useAskedWriters(sessionId, sides, NOTHING_WANTED, () => null)
  return { notes, lineActions: [{ label: 'Who wrote this line', keys: null, run: askLine }] }
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
