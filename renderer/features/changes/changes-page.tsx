import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useDesk, useView } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { PageFrame } from '../../ui/frame/page-frame.tsx'
import { Pane, PaneHead } from '../../ui/frame/panes/pane.tsx'
import { useEscape } from '../../ui/hooks/use-escape.ts'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { closeUndo, previewUndo } from '../../state/commands/actions.ts'
import styles from './changes.module.css'
import { UndoPage } from './undo/undo-page.tsx'
import { FilesPane } from './files-pane.tsx'
import { ReviewPane } from './review-pane.tsx'
import { StepsList } from './steps-list.tsx'
import { useReview } from './use-review.ts'

/** Full-window review of a session's changes: steps, files and diff. `status` is the strip at the bottom. */
export function ChangesPage({ status }: { readonly status: ReactNode }): ReactNode {
  const desk = useDesk()
  const sessionId = useView((view) => view.sessionId)
  const target = useView((view) => view.undo)
  const close = (): void => desk.view.setState({ page: 'desk' })
  useEscape(target === null ? close : () => closeUndo(desk))
  if (sessionId === null)
    return (
      <Pane kind="work" label="Changes">
        <EmptyState
          action={
            <Button keys="Esc" onPress={close}>
              Close review
            </Button>
          }
        >
          No session is open. Open one to review what its steps changed.
        </EmptyState>
      </Pane>
    )
  if (target !== null)
    return <UndoPage key={`${sessionId} ${JSON.stringify(target)}`} sessionId={sessionId} target={target} status={status} />
  return <SessionReview key={sessionId} sessionId={sessionId} status={status} onClose={close} />
}

/** The ways back from the step that is shown. */
function UndoOffer({ step }: { readonly step: number }): ReactNode {
  const desk = useDesk()
  return (
    <div className={styles.foot}>
      <div className={styles.footButtons}>
        <Button small onPress={() => previewUndo(desk, { kind: 'step', step })}>
          Undo step {step}…
        </Button>
        <Button small variant="quiet" onPress={() => previewUndo(desk, { kind: 'to', step })}>
          Go back to step {step}…
        </Button>
      </div>
    </div>
  )
}

interface SessionReviewProps {
  readonly sessionId: SessionId
  readonly status: ReactNode
  readonly onClose: () => void
}

function SessionReview({ sessionId, status, onClose }: SessionReviewProps): ReactNode {
  const review = useReview(sessionId)
  const newest = review.calls.at(-1)?.toolCallId
  return (
    <PageFrame
      navLabel="Steps"
      nav={
        <Pane kind="sessions" label="Steps">
          <PaneHead
            titleBar
            end={
              <Button variant="quiet" small icon={X} keys="Esc" onPress={onClose}>
                Close review
              </Button>
            }
          />
          <PaneHead level="bar">
            <Segmented
              label="Scope"
              segments={[
                { id: 'step', label: 'Step', disabledReason: newest === undefined ? 'No step has changed anything yet' : null },
                { id: 'session', label: 'Session' },
                { id: 'folder', label: 'Folder' },
              ]}
              selected={review.scope}
              onSelect={(scope) => (scope !== 'step' ? review.show(scope) : newest !== undefined && review.show(newest))}
            />
          </PaneHead>
          <StepsList
            sessionId={sessionId}
            shown={review.call?.toolCallId ?? null}
            file={review.file?.absolute ?? null}
            onShow={review.show}
          />
          {review.call && <UndoOffer step={review.call.step} />}
        </Pane>
      }
      list={{ label: 'Changed files', pane: <FilesPane sessionId={sessionId} review={review} onClose={onClose} /> }}
      status={status}
    >
      <ReviewPane sessionId={sessionId} review={review} />
    </PageFrame>
  )
}
