import { type ComponentProps, type ReactNode, useState } from 'react'
import type { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import { useFileActions } from '../../state/hooks/use-file-actions.ts'
import { useStepTexts } from '../../state/hooks/changes/use-step-texts.ts'
import { classNames } from '../../ui/class-names.ts'
import { Button } from '../../ui/controls/button.tsx'
import { MissingTexts, MovedFrom } from '../../ui/diff/file-notes.tsx'
import { Pane, PaneHead } from '../../ui/frame/panes/pane.tsx'
import { FileButtons } from '../../ui/ledger/file-buttons.tsx'
import { axisClass } from '../../ui/ledger/ledger.tsx'
import { MiddlePath } from '../../ui/text/middle-path.tsx'
import { LiveRegion } from '../../ui/notices/screen-reader.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { WholeFile } from './blame/whole-file.tsx'
import { useHeldFile } from './comments/use-comments.tsx'
import { modeSentence } from './git/git-files.ts'
import { PersonTerminals } from './git/person-terminals.tsx'
import { useGitTexts } from './git/use-git.ts'
import { type Layout, LayoutChoice, MoveButtons, useLayout } from './diff-controls.tsx'
import { ChangedSince, DifferenceToDisk } from './difference-to-disk.tsx'
import { ReviewedFile } from './reviewed-file.tsx'
import { type ReviewFile, sidesOf } from './review-files.ts'
import type { Review } from './use-review.ts'
import styles from './changes.module.css'

interface ReviewPaneProps {
  readonly sessionId: SessionId
  readonly review: Review
  /** The tray with the request, if the shown changes are only proposed. */
  readonly request: ReactNode
}

/** The diff of one file, with the buttons for its hunks. */
export function ReviewPane({ sessionId, review, request }: ReviewPaneProps): ReactNode {
  const { hunk, hunks, whole } = review
  const file = useHeldFile(review.file, review.isCommenting)
  const layout = useLayout()
  const where = whole.isShown || hunks === 0 ? '' : `hunk ${hunk + 1} of ${hunks}`
  return (
    <Pane kind="work" label={file ? `Difference of ${file.shown}` : 'Difference'} className={styles.review}>
      <PaneHead
        title={file ? <MiddlePath path={file.shown} className={styles.path} /> : 'No file'}
        aside={file && <MovedFromPath file={file} />}
        end={
          file && (
            <>
              <MoveButtons where={where} move={review.move} />
              {file.after !== null && <ReviewedFileButtons sessionId={sessionId} file={file} />}
              <Button small keys="W" pressed={whole.isShown} onPress={whole.toggle}>
                Whole file
              </Button>
              {!whole.isShown && <LayoutChoice {...layout} />}
            </>
          )
        }
      />
      {file && (
        <Difference
          key={file.git ? file.path : `${file.path} ${file.before}`}
          sessionId={sessionId}
          file={file}
          review={review}
          layout={layout}
        />
      )}
      <PersonTerminals sessionId={sessionId} />
      {request !== null && <div className={classNames(axisClass(), styles.request)}>{request}</div>}
      <LiveRegion message={file && where !== '' ? `${file.shown}, ${where}` : ''} />
    </Pane>
  )
}

function MovedFromPath({ file: { movedFrom, git } }: { readonly file: ReviewFile }): ReactNode {
  const from = movedFrom?.shown ?? git?.from ?? null
  return from !== null && <MovedFrom path={from} />
}

function ReviewedFileButtons({ sessionId, file }: { readonly sessionId: SessionId; readonly file: ReviewFile }): ReactNode {
  return <FileButtons path={file.shown} {...useFileActions({ sessionId, path: file.absolute })} />
}

interface FileDifferenceProps {
  readonly sessionId: SessionId
  readonly file: ReviewFile
  readonly review: Review
  readonly layout: Layout
}

/**
 * The diff of a file in the repository or the session. For the session, it compares the stored versions or, on request, the
 * newest version with the file on disk.
 */
function Difference(props: FileDifferenceProps): ReactNode {
  const { file, review } = props
  const [isNow, setIsNow] = useState(false)
  const now = review.since.get(file.absolute)
  if (file.git) return <GitFileDifference {...props} />
  if (file.isOnDisk) return <DifferenceToDisk {...props} sides={sidesOf(file, { base: file.before, after: file.after })} />
  const stored = <FileDifference key={file.after} {...props} />
  if (now === undefined || review.whole.isShown) return stored
  const path = file.absolute
  const sides = { before: { path, hash: review.left.get(path) ?? null }, after: { path, hash: now, isOnDisk: true } }
  return (
    <>
      <ChangedSince now={now} isShown={isNow} onToggle={() => setIsNow(!isNow)} />
      {isNow ? <DifferenceToDisk {...props} sides={sides} /> : stored}
    </>
  )
}

function FileDifference(props: FileDifferenceProps): ReactNode {
  const { sessionId, file } = props
  const texts = useStepTexts(sessionId, [file])
  if (texts.kind !== 'loaded') return <MissingTexts texts={texts} className={styles.words} />
  const [loaded] = texts.files
  if (!loaded) return null
  const versions = { base: file.before, after: file.after }
  return <ReadDifference {...props} versions={versions} before={loaded.before} after={loaded.after} staging={null} />
}

function GitFileDifference(props: FileDifferenceProps): ReactNode {
  const { sessionId, file, review } = props
  const loaded = useGitTexts(sessionId, file, review.git.reading)
  if (loaded === null) return <p className={styles.words}>Reading both versions…</p>
  const { texts, trouble } = loaded
  if (texts === null) return trouble && <ErrorNotice framed happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />
  const [base, after] = texts.version.split(' ').map((hash) => (hash === '-' ? null : (hash as BlobHash)))
  const versions = { base: base ?? null, after: after ?? null }
  const staging = { version: texts.version, wholeOnly: texts.wholeOnly }
  return <ReadDifference {...props} versions={versions} before={texts.before} after={texts.after} staging={staging} />
}

type ReadDifferenceProps = FileDifferenceProps & Pick<ComponentProps<typeof ReviewedFile>, 'versions' | 'before' | 'after' | 'staging'>

/** The hunks of a file whose versions have been read, or the whole file. */
function ReadDifference({ layout, staging, ...props }: ReadDifferenceProps): ReactNode {
  if (props.review.whole.isShown) return <WholeFile {...props} />
  return <ReviewedFile {...props} layout={layout} staging={staging} fact={modeSentence(props.file)} />
}
