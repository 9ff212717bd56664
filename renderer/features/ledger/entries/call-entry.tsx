import { Undo2 } from 'lucide-react'
import { memo, type ReactNode, useState } from 'react'
import { isUndoneStep } from '../../../../shared/session/rollback.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import { previewUndo } from '../../../state/commands/actions.ts'
import { useDesk, useSession, useView } from '../../../state/desk-context.ts'
import { useFileActions } from '../../../state/hooks/use-file-actions.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EntryRow } from '../../../ui/ledger/entry-row.tsx'
import { FileButtons } from '../../../ui/ledger/file-buttons.tsx'
import { MiddlePath } from '../../../ui/text/middle-path.tsx'
import { Quote } from '../../../ui/text/well.tsx'
import { CallBody } from '../calls/call-body.tsx'
import { CallOutcomeCell } from '../calls/call-outcome-cell.tsx'
import { foldingOf, unfoldsOf, viewOf } from '../../../tools/views.ts'
import { markOf, markWordOf, wasSigned } from '../../../ui/calls/call-mark.ts'
import { runsCommand } from '../../../../shared/tools/catalogue.ts'
import { backgroundOf, longCommand } from '../../../ui/calls/command-words.ts'
import { firstLine, lostWords, withShortProgram, wordsOf } from '../../../ui/calls/call-words.ts'
import { CallMenu } from './call-menu.tsx'
import { useLedgerSession } from '../ledger-session.ts'
import { FailureReason } from '../calls/failure-reason.tsx'
import { FoldButton } from '../calls/fold-button.tsx'
import { foreign } from '../../../ui/text/exact-text.tsx'

/** A step: one line on the axis, and the content that unfolds below it. */
export const CallEntry = memo(function CallEntry({ call }: { readonly call: CallItem }): ReactNode {
  const { verb, subject, rest, isPath } = wordsOf(call)
  const file = fileOf(call)
  const refusal = call.approval?.answer?.kind === 'refused' ? call.approval.answer.note : null
  const folding = foldingOf(call)
  const canFold = folding === 'open' || folding === 'closed'
  // Only a signature that is given while the entry is on screen is animated.
  const [wasSignedAtFirst] = useState(() => wasSigned(call))
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isOpen = folding === 'fixed' || (chosen ?? folding === 'open')
  const wasUndone = useSession(useLedgerSession(), ({ rollbacks }) => call.files.length > 0 && isUndoneStep(call.step, rollbacks), false)
  const canUndo = call.endedAt !== null && call.files.length > 0 && !wasUndone
  // If the full command is shown directly below, the line does not repeat it.
  const isWhole = isOpen && folding !== 'none' && longCommand(call) !== null
  return (
    <EntryRow
      mark={wasUndone ? 'undone' : markOf(call)}
      markWord={wasUndone ? undefined : markWordOf(call)}
      drawn={wasSigned(call) && !wasSignedAtFirst}
      number={call.step}
      at={call.at}
      id={`step-${call.toolCallId}`}
      line={
        <>
          <span className="verb">{foreign(verb)}</span>
          {subject !== '' && !isWhole && <Subject call={call} words={subject} isPath={isPath} />}
          {rest !== '' && (
            <span
              className="soft"
              data-tip={rest.length > 24 ? rest : undefined}
              data-whole={backgroundOf(call) !== null || Boolean(call.copy?.outcome) || undefined}
            >
              {foreign(rest)}
            </span>
          )}
        </>
      }
      fold={canFold && <FoldButton open={isOpen} what={unfoldsOf(call)} onPress={() => setChosen(!isOpen)} />}
      effect={<CallOutcomeCell call={call} />}
      actions={(file !== null || canUndo) && <CallActions file={file} canUndo={canUndo} step={call.step} />}
      lazyActions={canFold}
      renderMenu={(at) => <CallMenu call={call} file={file} canUndo={canUndo} at={at} />}
    >
      {refusal !== null && <Quote>{refusal}</Quote>}
      <FailureReason text={lostWords(call)} />
      {isOpen && folding !== 'none' && <CallBody call={call} />}
    </EntryRow>
  )
})

interface SubjectProps {
  readonly call: CallItem
  readonly words: string
  readonly isPath: boolean
}

/** The subject of a step. If space is short, a path is cut in the middle, and a command or a pattern at the end. */
function Subject({ call, words, isPath }: SubjectProps): ReactNode {
  if (isPath) return <MiddlePath path={words} className="path" />
  return (
    <span className="path" data-tip={words.length > 40 ? words.slice(0, 600) : undefined}>
      {foreign(firstLine(runsCommand(call) ? withShortProgram(words) : words))}
    </span>
  )
}

interface CallActionsProps {
  readonly file: { readonly path: string; readonly line: number | null } | null
  readonly canUndo: boolean
  readonly step: number
}

/** The actions for a finished step: open its file, and preview the undo of its changes. */
function CallActions({ file, canUndo, step }: CallActionsProps): ReactNode {
  const desk = useDesk()
  const sessionId = useLedgerSession()
  // The undo preview belongs to the current session, not to its subagents.
  const isCurrent = useView((view) => view.sessionId === sessionId)
  return (
    <>
      {file !== null && <CallFileButtons {...file} />}
      {canUndo && isCurrent && (
        <Button variant="quiet" small icon={Undo2} label={`Undo step ${step}…`} onPress={() => previewUndo(desk, { kind: 'step', step })}>
          Undo…
        </Button>
      )}
    </>
  )
}

function CallFileButtons({ path, line }: { readonly path: string; readonly line: number | null }): ReactNode {
  return <FileButtons path={path} {...useFileActions({ sessionId: useLedgerSession(), path }, line)} />
}

/** The single file that a step read or changed and that still exists. Null if there is none, or if the step failed or has not finished. */
function fileOf(call: CallItem): { readonly path: string; readonly line: number | null } | null {
  if (call.endedAt === null || call.isError) return null
  const [only, ...more] = call.files
  if (only) return more.length === 0 && only.after !== null ? { path: only.path, line: null } : null
  return viewOf(call).lookedAt?.(call) ?? null
}
