import { type ReactNode, useCallback, useState } from 'react'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { isIdle } from '../../../../shared/session/fold/run-state.ts'
import { type DoneRollback, rollbacksAfter, type UndoTarget } from '../../../../shared/session/rollback.ts'
import { closeUndo, previewUndo } from '../../../state/commands/actions.ts'
import { useDesk, useSession } from '../../../state/desk-context.ts'
import { useStepTexts } from '../../../state/hooks/changes/use-step-texts.ts'
import { useWritersMenu } from '../../../tools/view/line-writers.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { Check } from '../../../ui/controls/check.tsx'
import { type DiffSummary, DiffView } from '../../../ui/diff/diff-view.tsx'
import { MissingTexts } from '../../../ui/diff/file-notes.tsx'
import { PageFrame, PageNav } from '../../../ui/frame/page-frame.tsx'
import { Pane, PaneHead, PaneScroll } from '../../../ui/frame/panes/pane.tsx'
import { EmptyState } from '../../../ui/notices/empty-state.tsx'
import { ErrorNotice } from '../../../ui/notices/error-notice.tsx'
import { MiddlePath } from '../../../ui/text/middle-path.tsx'
import changes from '../changes.module.css'
import { type Layout, LayoutChoice, MoveButtons, useLayout } from '../diff-controls.tsx'
import { type Move, moved } from '../review-files.ts'
import { useMoveKeys } from '../use-review.ts'
import { StepsList } from '../steps-list.tsx'
import { ConflictView } from './conflict-view.tsx'
import { inGroups, UndoGroups } from './undo-groups.tsx'
import { summaryOf, titleOf } from './undo-words.ts'
import { changesNothing, type UndoWork, useUndo } from './use-undo.ts'

export interface UndoPageProps {
  readonly sessionId: SessionId
  readonly target: UndoTarget
  readonly status: ReactNode
}

const NO_ROLLBACKS: readonly DoneRollback[] = []

/** Previews an undo: the steps that it undoes, its files in groups, and the difference of each file. */
export function UndoPage({ sessionId, target, status }: UndoPageProps): ReactNode {
  const desk = useDesk()
  const close = (): void => closeUndo(desk)
  const work = useUndo(sessionId, target, () => desk.view.setState({ page: 'desk', undo: null }))
  const done = useSession(sessionId, ({ rollbacks }) => rollbacks, NO_ROLLBACKS)
  const steps = useSession(sessionId, (session) => session.steps, 0)
  const foot = <UndoFoot sessionId={sessionId} target={target} work={work} />
  return (
    <PageFrame
      navLabel="Steps"
      nav={
        <PageNav label="Steps" closeWords="Close preview" onClose={close}>
          <StepsList
            sessionId={sessionId}
            shown={null}
            file={work.shown?.path ?? work.conflict?.path ?? null}
            undone={rollbacksAfter(done, { rollbackId: 'preview', target, steps })}
            onShow={(what) => {
              if (what.kind !== 'step') return
              const items = desk.session(sessionId).store.getState().session?.items ?? []
              const step = items.findLast((item) => item.kind === 'call' && item.toolCallId === what.call)
              if (step?.kind === 'call')
                previewUndo(desk, target.kind === 'step' ? { kind: 'step', step: step.step } : { kind: 'to', step: step.step })
            }}
          />
          {foot}
        </PageNav>
      }
      list={{ label: 'Files in the undo', isWide: true, pane: <UndoGroups target={target} work={work} foot={foot} onClose={close} /> }}
      status={status}
    >
      <UndoDetail sessionId={sessionId} work={work} />
    </PageFrame>
  )
}

/** The undo in sentences, and the button that carries it out. */
function UndoFoot({
  sessionId,
  target,
  work,
}: {
  readonly sessionId: SessionId
  readonly target: UndoTarget
  readonly work: UndoWork
}): ReactNode {
  const isAtRest = useSession(sessionId, isIdle, true)
  const { preview, unresolved, anyway, isRunning, trouble, hasChanged, isConversationOnly } = work
  const title = isConversationOnly ? 'Go back in the conversation only' : titleOf(target)
  const why = !isAtRest
    ? 'The agent is working. Stop the turn or wait for it to end'
    : preview === null
      ? 'Reading the files'
      : unresolved > 0
        ? 'Resolve the conflict first'
        : changesNothing(preview) && anyway.size === 0 && !isConversationOnly
          ? 'No file would change'
          : null
  return (
    <div className={changes.foot}>
      <strong>{titleOf(target)}</strong>
      {preview && summaryOf(preview, anyway.size).map((line) => <span key={line}>{line}</span>)}
      {work.point !== null && <Check label="The conversation too" checked={work.withConversation} onChange={work.setWithConversation} />}
      {hasChanged && <span role="status">The files have changed. This is the new preview.</span>}
      {trouble && <ErrorNotice happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
      <Button variant="preferred" disabledReason={isRunning ? 'Working' : why} onPress={work.run}>
        {isRunning ? 'Undoing' : title}
      </Button>
      {why !== null && <span>{why}</span>}
    </div>
  )
}

function UndoDetail({ sessionId, work }: { readonly sessionId: SessionId; readonly work: UndoWork }): ReactNode {
  const { preview, conflict, shown, trouble } = work
  const layout = useLayout()
  const path = conflict?.path ?? shown?.path ?? null
  const [at, setAt] = useState<{ readonly path: string | null; readonly hunk: number }>({ path: null, hunk: 0 })
  const [drawn, setDrawn] = useState<{ readonly path: string | null; readonly hunks: number }>({ path: null, hunks: 0 })
  const hunks = conflict ? Math.max(1, conflict.regions.length) : shown && drawn.path === path ? drawn.hunks : 0
  const hunk = at.path !== path || hunks === 0 ? 0 : at.hunk < 0 ? hunks - 1 : Math.min(at.hunk, hunks - 1)
  const onSummary = useCallback((summary: DiffSummary) => setDrawn({ path, hunks: summary.hunks.length }), [path])
  const move = (how: Move): void => {
    const next = moved({ path, hunk }, how, preview ? inGroups(preview) : [], hunks)
    setAt(next)
    if (next.path !== null && next.path !== path) work.show(next.path)
  }
  useMoveKeys(move)
  if (conflict) {
    const step = preview?.target.kind === 'step' ? `step ${preview.target.step}` : 'the steps'
    const onCurrent = (to: number): void => setAt({ path, hunk: to })
    return <ConflictView key={conflict.path} conflict={conflict} work={work} step={step} move={move} onCurrent={onCurrent} current={hunk} />
  }
  return (
    <Pane kind="work" label={shown ? `Difference of ${shown.shown}` : 'Difference'} className={changes.review}>
      <PaneHead
        title={shown ? <MiddlePath path={shown.shown} className={changes.path} /> : 'No file'}
        aside={shown && (preview?.target.kind === 'to' ? 'now, and after going back' : 'now, and after the undo')}
        end={
          shown && (
            <>
              <MoveButtons where={hunks === 0 ? '' : `hunk ${hunk + 1} of ${hunks}`} move={move} />
              <LayoutChoice {...layout} />
            </>
          )
        }
      />
      <PaneScroll label="Difference">
        {shown ? (
          <Difference
            key={`${shown.path} ${shown.before} ${shown.after}`}
            sessionId={sessionId}
            layout={layout}
            onSummary={onSummary}
            file={shown}
            isMerged={preview?.files.some(({ change, merged }) => merged && change.path === shown.path) ?? false}
            current={hunks === 0 ? null : hunk}
          />
        ) : (
          <EmptyState>{preview ? 'No file would change.' : trouble ? trouble.what : 'Reading the files…'}</EmptyState>
        )}
      </PaneScroll>
    </Pane>
  )
}

interface DifferenceProps {
  readonly sessionId: SessionId
  readonly file: NonNullable<UndoWork['shown']>
  /** Whether later work in the file is kept. If so, the version after the undo is not recorded yet. */
  readonly isMerged: boolean
  readonly layout: Layout
  readonly current: number | null
  readonly onSummary: (summary: DiffSummary) => void
}

function Difference({ sessionId, file, isMerged, layout, current, onSummary }: DifferenceProps): ReactNode {
  const texts = useStepTexts(sessionId, [file])
  const { path, before: now, after: then } = file
  const written = useWritersMenu(sessionId, {
    before: { path, hash: now, isOnDisk: true },
    after: isMerged ? { proposes: 'The undo restores the line.' } : { path, hash: then },
  })
  if (texts.kind !== 'loaded') return <MissingTexts texts={texts} className={changes.words} />
  const [loaded] = texts.files
  if (!loaded) return null
  const { layout: chosen, ignoresSpaces } = layout
  const { before, after } = loaded
  return (
    <DiffView
      path={file.shown}
      before={before}
      after={after}
      ignoresSpaces={ignoresSpaces}
      current={current}
      onSummary={onSummary}
      {...written}
      layout={chosen}
    />
  )
}
