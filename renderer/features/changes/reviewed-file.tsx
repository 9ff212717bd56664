import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import type { BlobText } from '../../../shared/api/changes/changes.ts'
import type { SeenHunk } from '../../../shared/api/changes/review.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { DiffView, type DiffSummary } from '../../ui/diff/diff-view.tsx'
import { useDesk } from '../../state/desk-context.ts'
import { clockTime } from '../../ui/format.ts'
import { viewFile } from '../../ui/diff/file-words.ts'
import type { HunkPlace, LinePlace } from '../../ui/diff/compare/compute-diff.ts'
import { wholeFile } from '../../ui/diff/compare/use-file-hunks.ts'
import { PaneScroll } from '../../ui/frame/panes/pane.tsx'
import styles from './changes.module.css'
import { type LineWriters, useLineWriters } from './blame/use-line-writers.tsx'
import { WrittenBy } from './blame/written-by.tsx'
import { type Comments, useComments } from './comments/use-comments.tsx'
import { HunkHead } from './hunk-head.tsx'
import { hunkStates } from './seen-hunks.ts'
import type { ReviewFile, Versions } from './review-files.ts'
import type { Layout } from './diff-controls.tsx'
import { useSettled } from '../../ui/hooks/use-settled.ts'
import { usePageKeys } from '../../state/hooks/use-desk-keys.ts'
import type { Review } from './use-review.ts'

export interface ReviewedFileProps {
  readonly sessionId: SessionId
  readonly file: ReviewFile
  readonly review: Review
  readonly layout: Layout
  readonly versions: Versions
  readonly before: BlobText | null
  readonly after: BlobText | null
  /** Set for a file of the repository. */
  readonly staging: { readonly version: string; readonly wholeOnly: string | null } | null
  /** A change that the lines do not show, such as a change of permissions. */
  readonly fact: string | null
}

const NO_HUNKS: readonly HunkPlace[] = []

/** One file under review: the heading of the current hunk, and the lines with the user's comments. */
export function ReviewedFile(props: ReviewedFileProps): ReactNode {
  const { sessionId, file, review, layout, versions, before, after, staging } = props
  const view = useMemo(() => viewFile(before, after), [before, after])
  const [places, setPlaces] = useState<readonly HunkPlace[]>(NO_HUNKS)
  const isText = view.kind === 'text'
  const { base, after: newest } = versions
  const facts = useMemo(() => (isText ? places : [wholeFile(base, newest)]), [isText, places, base, newest])
  const states = useMemo(() => hunkStates(facts, base, review.marks), [facts, base, review.marks])
  const place = isText ? (places[review.hunk] ?? null) : null
  const current = facts[review.hunk]
  const state = states[review.hunk] ?? { kind: 'new' }
  const { onHunks } = review
  const onSummary = useCallback(({ hunks }: DiffSummary) => setPlaces(hunks), [])
  useEffect(() => onHunks(facts.length), [onHunks, facts.length])
  const [isAgainst, setIsAgainst] = useState(false)
  const against = useSeenVersion(sessionId, isAgainst && state.kind === 'again' ? state.seen : null)
  const comments = useComments(sessionId, file, { place, before, after })
  const { onCommenting } = review
  useEffect(() => {
    onCommenting(comments.isWriting)
    return () => onCommenting(false)
  }, [onCommenting, comments.isWriting])
  const written = useLineWriters(sessionId, file, { versions, place, selected: comments.selected })
  const notes = useMemo(() => [...comments.notes, ...written.notes], [comments.notes, written.notes])
  const lineActions = [
    { label: 'Who wrote this line', keys: 'B', run: written.askLine },
    { label: 'Show in the whole file', keys: 'W', run: (line: LinePlace) => review.whole.open(file.path, line) },
    { label: 'Comment on this line', keys: 'C', run: comments.start },
  ]
  const see = (): void => current && review.see([current], versions, state.kind !== 'seen')
  const stage = (whole: boolean): void => {
    if (!file.git || !staging) return
    const lines = place && !whole && staging.wholeOnly === null ? [{ before: place.before, after: place.after }] : null
    review.git.stage(file.git.side, file.git.path, lines && { version: staging.version, lines })
  }
  useHunkKeys({ see, stage, comments, written })
  return (
    <>
      {current && (
        <HunkHead
          name={place?.name ?? null}
          state={state}
          staging={file.git ? { side: file.git.side, wholeOnly: staging?.wholeOnly ?? null, isBusy: review.git.isBusy, stage } : null}
          writtenBy={<WrittenBy writers={written.ofHunk} here={sessionId} isRemoved={written.isRemoved} onShow={written.ask} />}
          onSee={see}
          onComment={comments.start}
          isAgainst={against !== null}
          onAgainst={() => setIsAgainst(!isAgainst)}
        />
      )}
      <PaneScroll label="Difference">
        {props.fact !== null && <p className={styles.words}>{props.fact}</p>}
        {against && (
          <p className={styles.words}>Compared with what you saw at {clockTime(against.at)}. Lines that you have seen are left out.</p>
        )}
        <DiffView
          path={file.shown}
          before={against ? against.text : before}
          after={after}
          layout={layout.layout}
          ignoresSpaces={layout.ignoresSpaces}
          current={facts.length === 0 || against ? null : review.hunk}
          onSummary={against ? undefined : onSummary}
          notes={against ? undefined : notes}
          lineActions={against ? undefined : lineActions}
          onSelect={against ? undefined : comments.select}
        />
      </PaneScroll>
    </>
  )
}

/**
 * Returns the version of the file in which the user saw a hunk. Null while the version is loading, and if the user has not seen the hunk.
 */
function useSeenVersion(sessionId: SessionId, seen: SeenHunk | null): { readonly at: number; readonly text: BlobText | null } | null {
  const desk = useDesk()
  const read = async ({ at, after }: SeenHunk) => {
    const text = after === null ? null : await desk.texts.get(sessionId, after).catch((): BlobText => ({ kind: 'missing' }))
    return { at, text }
  }
  return useSettled(seen, seen && (() => read(seen))).value
}

interface HunkActions {
  readonly see: () => void
  readonly stage: (whole: boolean) => void
  readonly comments: Comments
  readonly written: LineWriters
}

function useHunkKeys({ see, stage, comments, written }: HunkActions): void {
  usePageKeys([
    { keys: ' ', run: () => see() },
    { keys: 'C', run: () => comments.start() },
    { keys: 'B', run: () => written.ask() },
    { keys: 'S', run: () => stage(false) },
    { keys: 'Shift+S', run: () => stage(true) },
  ])
}
