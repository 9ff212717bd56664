import { Fragment, memo, type ReactNode, useMemo } from 'react'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import { type DoneRollback, isUndoneStep } from '../../../shared/session/rollback.ts'
import type { CallItem, SessionState } from '../../../shared/session/state.ts'
import { useDesk, useSession } from '../../state/desk-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { added, counted, removed } from '../../ui/format.ts'
import { markOf } from '../../ui/calls/call-mark.ts'
import { runsCommand } from '../../../shared/tools/catalogue.ts'
import { firstLine, withShortProgram, wordsOf } from '../../ui/calls/call-words.ts'
import { MiddlePath } from '../../ui/text/middle-path.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import styles from './changes.module.css'
import { filesOfCall } from './changed-files-of-entries.ts'
import { nameOf } from '../../ui/diff/by-folder.ts'
import type { Reviewed, ReviewFile } from './review-files.ts'
import type { Review } from './use-review.ts'

const NO_ROLLBACKS: readonly DoneRollback[] = []
const NONE: readonly CallItem[] = []
const NO_FILES: readonly ReviewFile[] = []
const NO_SUBAGENTS: Review['bySubagents'] = new Map()

export interface StepsListProps {
  readonly sessionId: SessionId
  /** What is shown. Null if nothing in the list is shown. */
  readonly shown: Pick<Review, 'scope' | 'at'> | null
  /** Path of the file on screen: the steps that touched it are highlighted. */
  readonly file: string | null
  /** Changes from outside the session, keyed by the step that found them. If absent, such changes are not listed. */
  readonly outside?: Review['outside'] | undefined
  /** What the subagents of a step changed. If absent, such changes are not listed. */
  readonly bySubagents?: Review['bySubagents'] | undefined
  readonly onShow: (what: Reviewed) => void
  /** The undos whose steps are marked as undone, including an undo in preview. If absent, the undos in force are used. */
  readonly undone?: readonly DoneRollback[] | undefined
}

/** The steps with effects. The list can be filtered to the steps that changed files. */
export function StepsList({ sessionId, shown, file, outside, bySubagents = NO_SUBAGENTS, onShow, undone }: StepsListProps): ReactNode {
  const desk = useDesk()
  const calls = useSession(sessionId, withEffects, NONE)
  const done = useSession(sessionId, ({ rollbacks }) => rollbacks, NO_ROLLBACKS)
  const rows = useMemo(() => calls.map((call) => ({ call, files: filesOfCall(call, bySubagents) })), [calls, bySubagents])
  const hasOlder = useSession(sessionId, ({ firstItem }) => firstItem > 0, false)
  return (
    <PaneScroll label="Steps of this session">
      {hasOlder && (
        <p className={styles.older}>
          <Button variant="quiet" small onPress={() => void desk.session(sessionId).loadOlder()}>
            Show earlier steps
          </Button>
        </p>
      )}
      <ol className={styles.steps} aria-label="Steps">
        {rows.map(({ call, files }) => (
          <Fragment key={call.toolCallId}>
            <OutsideRow
              files={outside?.get(call.toolCallId) ?? NO_FILES}
              call={call.toolCallId}
              shown={shown?.scope === 'outside' && shown.at === call.toolCallId}
              file={file}
              onShow={onShow}
            />
            <StepRow
              call={call}
              fileCount={files.length}
              shown={shown?.scope === 'step' && shown.at === call.toolCallId}
              touches={file !== null && files.some(({ absolute }) => absolute === file)}
              undone={files.length > 0 && isUndoneStep(call.step, undone ?? done)}
              onShow={onShow}
            />
          </Fragment>
        ))}
      </ol>
    </PaneScroll>
  )
}

interface OutsideRowProps {
  /** Empty if nobody else changed a file before the step. */
  readonly files: readonly ReviewFile[]
  readonly call: ToolCallId
  readonly shown: boolean
  readonly file: string | null
  readonly onShow: (what: Reviewed) => void
}

/** What the user or another program changed between two steps that changed the same file. */
function OutsideRow({ files, call, shown, file, onShow }: OutsideRowProps): ReactNode {
  if (files.length === 0) return null
  const touches = files.some(({ path }) => path === file)
  const names = files.map((one) => one.shown).join('\n')
  return (
    <li>
      <button
        type="button"
        className={classNames(styles.step, shown && styles.shown, touches && styles.touches)}
        aria-current={shown || undefined}
        data-tip={`Changed by you or another program:\n${names}`.slice(0, 600)}
        onClick={() => onShow({ kind: 'outside', call })}
      >
        <span className="number" />
        <Mark kind="you" word="You or another program" className={styles.mark} />
        <span className={classNames(styles.subject, styles.outside)}>Outside this session</span>
        <span className="meta">{counted(files.length, 'file')}</span>
      </button>
    </li>
  )
}

interface StepRowProps {
  readonly call: CallItem
  readonly fileCount: number
  readonly shown: boolean
  readonly touches: boolean
  readonly undone: boolean
  readonly onShow: (what: Reviewed) => void
}

const StepRow = memo(function StepRow({ call, fileCount, shown, touches, undone, onShow }: StepRowProps): ReactNode {
  const words = wordsOf(call)
  // A call without a subject, such as bringing in a layer, is named after what it changed.
  const subject = nameOf(words.subject || (call.files[0]?.path ?? words.verb))
  const more = call.files.length === 0 ? 0 : fileCount - 1
  const row = (
    <>
      <span className="number">{call.step}</span>
      <Mark kind={undone ? 'undone' : markOf(call)} className={styles.mark} />
      {runsCommand(call) ? (
        <span
          className={classNames(styles.subject, styles.command)}
          data-tip={words.subject.length > 24 ? words.subject.slice(0, 600) : undefined}
        >
          {firstLine(withShortProgram(words.subject))}
        </span>
      ) : (
        <span className={styles.subject} data-tip={words.subject === subject || words.subject === '' ? undefined : words.subject}>
          <MiddlePath path={subject} tip={false} />
          {more > 0 && <span className="meta">+{more} more</span>}
        </span>
      )}
      {call.files.length === 0 && fileCount > 0 ? <span className="meta">{counted(fileCount, 'file')}</span> : <Counts call={call} />}
    </>
  )
  const className = classNames(
    styles.step,
    shown && styles.shown,
    touches && styles.touches,
    fileCount === 0 && styles.without,
    undone && styles.undone,
  )
  if (fileCount === 0) return <li className={className}>{row}</li>
  return (
    <li>
      <button
        type="button"
        className={className}
        aria-current={shown || undefined}
        onClick={() => onShow({ kind: 'step', call: call.toolCallId })}
      >
        {row}
      </button>
    </li>
  )
})

function Counts({ call }: { readonly call: CallItem }): ReactNode {
  const known = call.files.flatMap(({ lines }) => (lines ? [lines] : []))
  if (known.length === 0) return <span className="effect" />
  const plus = known.reduce((sum, { added: own }) => sum + own, 0)
  const minus = known.reduce((sum, { removed: own }) => sum + own, 0)
  return (
    <span className={styles.counts}>
      {plus > 0 && <span className="add">{added(plus)}</span>}
      {minus > 0 && <span className="del">{removed(minus)}</span>}
    </span>
  )
}

function withEffects({ items }: SessionState): readonly CallItem[] {
  return items.filter((item): item is CallItem => item.kind === 'call' && (item.effects.length > 0 || item.files.length > 0))
}
