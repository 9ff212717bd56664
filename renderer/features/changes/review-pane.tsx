import { Columns2, Rows2 } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useFileActions } from '../../state/hooks/use-file-actions.ts'
import { useStepTexts } from '../../state/hooks/use-step-texts.ts'
import { Button } from '../../ui/controls/button.tsx'
import type { DiffLayout } from '../../ui/diff/code-diff.tsx'
import { DiffView } from '../../ui/diff/diff-view.tsx'
import { MovedFrom } from '../../ui/diff/moved-from.tsx'
import { TextsMissing } from '../../ui/diff/texts-missing.tsx'
import { Pane, PaneHead, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { FileButtons } from '../../ui/ledger/file-buttons.tsx'
import { MiddlePath } from '../../ui/text/middle-path.tsx'
import { LiveRegion } from '../../ui/notices/screen-reader.tsx'
import styles from './changes.module.css'
import type { ReviewFile } from './review-files.ts'
import { useNarrow } from '../../state/views/narrow.ts'
import type { Review } from './use-review.ts'

/** The diff of one file, side by side when there is room. */
export function ReviewPane({ sessionId, review }: { readonly sessionId: SessionId; readonly review: Review }): ReactNode {
  const { file, hunk, hunks, move } = review
  const isNarrow = useNarrow()
  const [chosen, setChosen] = useState<DiffLayout | null>(null)
  const layout = chosen ?? (isNarrow ? 'stacked' : 'split')
  const scroll = useRef<HTMLElement>(null)
  const where = hunks === 0 ? '' : `hunk ${hunk + 1} of ${hunks}`
  return (
    <Pane kind="work" label={file ? `Difference of ${file.shown}` : 'Difference'} className={styles.review}>
      <PaneHead
        title={file ? <MiddlePath path={file.shown} className={styles.path} /> : 'No file'}
        aside={file?.movedFrom && <MovedFrom path={file.movedFrom.shown} />}
        end={
          file && (
            <>
              <span className={styles.where}>{where}</span>
              <Button variant="quiet" small keys="K" onPress={() => move('previous-hunk')}>
                Previous
              </Button>
              <Button variant="quiet" small keys="J" onPress={() => move('next-hunk')}>
                Next
              </Button>
              {file.after !== null && <ReviewedFileButtons sessionId={sessionId} file={file} />}
              <LayoutChoice layout={layout} onChoose={setChosen} />
            </>
          )
        }
      />
      <PaneScroll label="Difference" ref={scroll}>
        {file && (
          <FileDifference
            key={`${file.path} ${file.before} ${file.after}`}
            sessionId={sessionId}
            file={file}
            review={review}
            layout={layout}
          />
        )}
      </PaneScroll>
      <LiveRegion message={file && where !== '' ? `${file.shown}, ${where}` : ''} />
    </Pane>
  )
}

function ReviewedFileButtons({ sessionId, file }: { readonly sessionId: SessionId; readonly file: ReviewFile }): ReactNode {
  return <FileButtons path={file.shown} {...useFileActions({ sessionId, path: file.path })} />
}

function LayoutChoice({ layout, onChoose }: { readonly layout: DiffLayout; readonly onChoose: (layout: DiffLayout) => void }): ReactNode {
  return (
    <span className={styles.layouts} role="group" aria-label="Layout">
      <Button small only icon={Columns2} label="Side by side" pressed={layout === 'split'} onPress={() => onChoose('split')} />
      <Button small only icon={Rows2} label="Stacked" pressed={layout === 'stacked'} onPress={() => onChoose('stacked')} />
    </span>
  )
}

interface FileDifferenceProps {
  readonly sessionId: SessionId
  readonly file: ReviewFile
  readonly review: Review
  readonly layout: DiffLayout
}

function FileDifference({ sessionId, file, review, layout }: FileDifferenceProps): ReactNode {
  const texts = useStepTexts(sessionId, [file])
  if (texts.kind !== 'loaded') return <TextsMissing texts={texts} className={styles.words} />
  const [loaded] = texts.files
  if (!loaded) return null
  return (
    <DiffView
      path={file.shown}
      before={loaded.before}
      after={loaded.after}
      layout={layout}
      current={review.hunks === 0 ? null : review.hunk}
      onSummary={review.onSummary}
    />
  )
}
