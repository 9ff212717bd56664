import { type ReactNode, useState } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { useDesk, useSession, useView } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { PageFrame, PageNav } from '../../ui/frame/page-frame.tsx'
import { Pane, PaneHead } from '../../ui/frame/panes/pane.tsx'
import { useEscape } from '../../ui/hooks/use-escape.ts'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { closeUndo, previewUndo } from '../../state/commands/actions.ts'
import styles from './changes.module.css'
import { UndoPage } from './undo/undo-page.tsx'
import { FilesPane } from './files-pane.tsx'
import { PublishPane } from './publish/publish-pane.tsx'
import { ReviewPane } from './review-pane.tsx'
import { StepsList } from './steps-list.tsx'
import { isProposed } from './review-files.ts'
import { turnOf } from './changed-files-of-entries.ts'
import { type Review, useReview } from './use-review.ts'

export interface ChangesPageProps {
  /** The strip at the bottom. */
  readonly status: ReactNode
  /** Renders the tray of a request. Passed in, because the tray belongs to another feature. */
  readonly requestOf: (sessionId: SessionId, call: CallItem) => ReactNode
}

/** Full-window review of a session's changes: steps, files and diff. Below the diff of a step that waits for a signature is its request. */
export function ChangesPage({ status, requestOf }: ChangesPageProps): ReactNode {
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
  return <SessionReview key={sessionId} sessionId={sessionId} status={status} requestOf={requestOf} onClose={close} />
}

/** The ways to undo the step that is shown. */
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

interface ScopeChoiceProps {
  readonly sessionId: SessionId
  readonly review: Review
}

/** Chooses what is reviewed. Step and turn refer to the step that was shown last, or to the newest step if none was shown. */
function ScopeChoice({ sessionId, review: { calls, at, scope, show } }: ScopeChoiceProps): ReactNode {
  const call = at ?? calls.at(-1)?.toolCallId
  const isTurnLoaded = useSession(sessionId, ({ items, firstItem }) => call !== undefined && turnOf(items, firstItem, call) !== null, false)
  const without = call === undefined ? 'No step has changed anything yet' : null
  return (
    <Segmented
      label="Scope"
      segments={[
        { id: 'step', label: 'Step', disabledReason: without },
        { id: 'turn', label: 'Turn', disabledReason: without ?? (isTurnLoaded ? null : 'Show the earlier steps first') },
        { id: 'session', label: 'Session' },
        { id: 'folder', label: 'Folder' },
      ]}
      selected={scope === 'outside' ? 'step' : scope}
      onSelect={(kind) => (kind === 'session' || kind === 'folder' ? show({ kind }) : call !== undefined && show({ kind, call }))}
    />
  )
}

interface SessionReviewProps extends ChangesPageProps {
  readonly sessionId: SessionId
  readonly onClose: () => void
}

function SessionReview({ sessionId, status, requestOf, onClose }: SessionReviewProps): ReactNode {
  const review = useReview(sessionId)
  const [isPublishing, setPublishing] = useState(false)
  const { call } = review
  const isWaiting = call !== null && isProposed(call)
  const undo = call && !isWaiting && <UndoOffer step={call.step} />
  return (
    <PageFrame
      navLabel="Steps"
      nav={
        <PageNav label="Steps" closeWords="Close review" onClose={onClose}>
          <PaneHead level="bar">
            <ScopeChoice sessionId={sessionId} review={review} />
          </PaneHead>
          <StepsList
            sessionId={sessionId}
            shown={review}
            file={review.file?.absolute ?? null}
            outside={review.outside}
            bySubagents={review.bySubagents}
            onShow={review.show}
          />
          {undo}
        </PageNav>
      }
      list={{
        label: 'Changed files',
        pane: <FilesPane sessionId={sessionId} review={review} undo={undo} onClose={onClose} onPublish={() => setPublishing(true)} />,
      }}
      status={status}
    >
      {isPublishing && review.scope === 'folder' ? (
        <PublishPane sessionId={sessionId} git={review.git} onClose={() => setPublishing(false)} />
      ) : (
        <ReviewPane sessionId={sessionId} review={review} request={isWaiting ? requestOf(sessionId, call) : null} />
      )}
    </PageFrame>
  )
}
