import { type ReactNode, useCallback, useEffect, useMemo } from 'react'
import type { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import type { FileVersion } from '../../state/hooks/changes/use-blame.ts'
import { useTextNow } from '../../state/hooks/changes/use-disk-changes.ts'
import { useStepTexts } from '../../state/hooks/changes/use-step-texts.ts'
import { useWritersMenu } from '../../tools/view/line-writers.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { type DiffSummary, DiffView } from '../../ui/diff/diff-view.tsx'
import { MissingTexts } from '../../ui/diff/file-notes.tsx'
import { PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import { WholeFile } from './blame/whole-file.tsx'
import styles from './changes.module.css'
import type { Layout } from './diff-controls.tsx'
import type { ReviewFile } from './review-files.ts'
import type { Review } from './use-review.ts'

export interface DifferenceToDiskProps {
  readonly sessionId: SessionId
  readonly file: ReviewFile
  /** The stored version, and the version on disk. */
  readonly sides: Record<'before' | 'after', FileVersion>
  readonly review: Review
  readonly layout: Layout
}

/** A stored version of a file beside the version on disk, or one of them as a whole file. */
export function DifferenceToDisk({ sessionId, file, sides, review, layout }: DifferenceToDiskProps): ReactNode {
  const base = sides.before.hash
  const versions = useMemo(() => [{ path: file.absolute, shown: file.shown, before: base, after: null }], [file.absolute, file.shown, base])
  const texts = useStepTexts(sessionId, versions)
  const { text, trouble } = useTextNow(sessionId, file.absolute, sides.after.hash)
  const written = useWritersMenu(sessionId, sides)
  const { onHunks } = review
  const onSummary = useCallback(({ hunks }: DiffSummary) => onHunks(hunks.length), [onHunks])
  useEffect(() => onHunks(0), [onHunks])
  if (trouble) return <ErrorNotice framed happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />
  if (texts.kind !== 'loaded') return <MissingTexts texts={texts} className={styles.words} />
  if (!text) return <p className={styles.words}>Reading the file…</p>
  const before = texts.files[0]?.before ?? null
  const hashes = { base, after: sides.after.hash }
  if (review.whole.isShown)
    return <WholeFile sessionId={sessionId} file={file} review={review} before={before} versions={hashes} after={text.now} />
  return (
    <PaneScroll label="Difference">
      <DiffView
        path={file.shown}
        before={before}
        after={text.now}
        layout={layout.layout}
        ignoresSpaces={layout.ignoresSpaces}
        current={review.hunks === 0 ? null : review.hunk}
        onSummary={onSummary}
        {...written}
      />
    </PaneScroll>
  )
}

export interface ChangedSinceProps {
  /** The version on disk. Null if there is no file. */
  readonly now: BlobHash | null
  /** Whether the comparison with the disk is shown. */
  readonly isShown: boolean
  readonly onToggle: () => void
}

/** Says that the file changed on disk after the last step that changed it, and offers the comparison. */
export function ChangedSince({ now, isShown, onToggle }: ChangedSinceProps): ReactNode {
  return (
    <div className={styles.hunkHead} role="group" aria-label="Changed since">
      <Mark kind="you" word="You or another program" />
      <span className={styles.hunkState}>{now === null ? 'Deleted on disk' : 'Changed on disk'} since the last step that changed it</span>
      <span className="push" />
      <Button small pressed={isShown} onPress={onToggle}>
        Compare with disk
      </Button>
    </div>
  )
}
