import { type FocusEvent, type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import type { Answer } from '../../state/stores/approval-desk.ts'
import { textArgument } from '../../../shared/tools/spec/call-line.ts'
import { isOutsidePlan } from '../../../shared/session/fold/outside-plan.ts'
import { isSubagentCall } from '../../../shared/tools/built-in/subagents.ts'
import { broughtFrom, commandNote, copiedCommand } from '../../state/views/request-title.ts'
import { showBringIn } from '../../state/commands/layer-actions.ts'
import { reviewStep } from '../../state/commands/files/file-actions.ts'
import type { Desk } from '../../state/desk.ts'
import { useDesk, useView } from '../../state/desk-context.ts'
import { useRequestFiles, useStepTexts } from '../../state/hooks/changes/use-step-texts.ts'
import { Check } from '../../ui/controls/check.tsx'
import { useHold } from '../../ui/hooks/use-hold.ts'
import { TrayFrame } from '../../ui/ledger/tray-frame.tsx'
import { NoSandboxNote } from './no-sandbox-note.tsx'
import { OtherWaysToRun } from './other-ways-to-run.tsx'
import { useNextTime } from './next-time.tsx'
import { RefusalNoteField, useRefusalNote } from './refusal-note-field.tsx'
import { RequestBody, type RequestBodyProps, RequestTitle } from './request-body.tsx'
import { laterIn, refusalOf, signatureOf, signedLines, whyNotSignable } from './review/review-signature.ts'
import { onReviewKey } from './review/review-keys.ts'
import { ReviewKeyLine } from './review/review-key-line.tsx'
import { type Review, useHasLater, useRequestReview } from './review/use-request-review.ts'
import { linesOf, signWords } from './request-words.ts'
import { SignControl } from './sign-control.tsx'
import { onTrayKey, useTrayKeys } from './tray-keys.ts'
import { HeadEnd, Note, type Queue, Refusals } from './tray-parts.tsx'
import { useFocusBack, useSees, useSigning } from './use-signing.ts'

export interface ApprovalTrayProps {
  readonly sessionId: SessionId
  readonly call: CallItem
  /** Name of the subagent that needs the signature. Null for the session's own agent. */
  readonly who: string | null
  /**
   * Number of the step in this ledger. For a subagent's request, the step that started the subagent. Null if that step is in another
   * ledger.
   */
  readonly step: number | null
  readonly queue: Queue
  /** Whether the diff of the request is shown above the tray, in the review. */
  readonly isBelowDiff: boolean
  readonly leaving: boolean
  readonly onSignedShown: () => void
  readonly wordsOf: RequestBodyProps['wordsOf']
}

/**
 * One request: exactly what will happen, and three answers. The request never grabs the focus. Its keys work only while it has the focus.
 */
export function ApprovalTray(props: ApprovalTrayProps): ReactNode {
  const { sessionId, call, who, step, queue, isBelowDiff, leaving, onSignedShown, wordsOf } = props
  const desk = useDesk()
  const { approval } = call
  const tray = useRef<HTMLElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const refuseButton = useRef<HTMLButtonElement>(null)
  const noteButton = useRef<HTMLButtonElement>(null)
  const note = useRefusalNote(sessionId, call, noteButton)
  const texts = useStepTexts(sessionId, useRequestFiles(sessionId, call))
  const signing = useSigning(desk, sessionId, call, useSees(tray, texts.kind === 'loaded'))
  const answer = (given: Answer | null): void => void (given && desk.signing.answer(sessionId, call, given))
  const review = useRequestReview(sessionId, call, texts)
  const later = laterIn(review, useHasLater(call) && texts.kind === 'loading')
  const whyNot = whyNotSignable(review)
  const next = useNextTime(sessionId, call)
  const [addsToPlan, setAddsToPlan] = useState(false)
  const rules = next && next.rules.length > 0 ? { rules: next.rules } : {}
  const sign = (): void => answer({ ...signatureOf(review), ...rules, ...(addsToPlan && { reply: { kind: 'add_to_plan' } }) })
  const refuse = (text: string | null): void => answer(refusalOf(review, later, text))
  const armed = signing.kind === 'armed' && whyNot === null
  const hold = useHold({ armed, onHeld: sign })
  useFocusBack(desk, tray, signing, call)
  const { missed, own } = useTrayKeys(tray)

  /** When the tray gets the focus, passes it on: to the diff, or to Refuse if a command has not run yet. */
  const onFocus = ({ target }: FocusEvent): void => {
    if (target === tray.current) (review ? body : focusFirst(call, body, refuseButton)).current?.focus({ preventScroll: true })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    onTrayKey(event, { own, armed, destructive, hold, sign, refuse })
    if (review && !event.defaultPrevented && signing.kind !== 'answered') onReviewKey(event, review)
  }
  // The review shows the session on screen, not its subagents.
  const isShown = useView((view) => view.sessionId === sessionId)
  const destructive = approval?.destructive ?? true
  return (
    <TrayFrame
      ref={tray}
      bodyRef={body}
      tone={signing.kind === 'answered' ? 'answered' : 'needs'}
      number={step ?? undefined}
      mark={signing.kind === 'answered' ? 'signed' : 'pending'}
      title={<RequestTitle call={call} />}
      aside={asideOf(call, who)}
      headEnd={
        signing.kind !== 'answered' && (
          <HeadEnd
            queue={queue}
            since={approval?.requestedAt ?? call.at}
            lines={decidedLines(call, review)}
            onReview={(isShown || broughtFrom(call) !== null) && !isBelowDiff ? pageOf(desk, sessionId, call, review) : undefined}
          />
        )
      }
      answerKeys={signing.kind === 'answered' ? undefined : 'Mod+J'}
      leaving={leaving}
      onFocus={onFocus}
      onBlur={hold.release}
      onKeyDown={onKeyDown}
      onKeyUp={hold.release}
      foot={
        note.text !== null && signing.kind !== 'answered' ? (
          <RefusalNoteField note={note} busy={signing.kind === 'sending'} onSend={refuse} />
        ) : (
          <>
            {review && signing.kind !== 'answered' && <ReviewKeyLine review={review} />}
            {signing.kind !== 'answered' && isOutsidePlan(call.effects) && (
              <Check label="Add to plan" checked={addsToPlan} onChange={setAddsToPlan} />
            )}
            {signing.kind !== 'answered' && <NoSandboxNote sessionId={sessionId} call={call} />}
            <OtherWaysToRun sessionId={sessionId} call={call} next={next} signing={signing} onAnswer={answer} />
            <Refusals
              signing={signing}
              refuseButton={refuseButton}
              noteButton={noteButton}
              later={later}
              onRefuse={() => refuse(null)}
              onNote={note.open}
            />
            <Note signing={signing} whyNot={whyNot} failed={texts.kind === 'failed'} missed={missed} destructive={destructive} />
            <SignControl
              words={signWords(call, review)}
              whyNot={whyNot}
              destructive={destructive}
              signing={signing}
              hold={hold}
              onSign={sign}
              onSignedShown={onSignedShown}
            />
          </>
        )
      }
    >
      {/* After the signature, the ledger shows the step, so the request would be outdated. */}
      {signing.kind !== 'answered' && <RequestBody call={call} texts={texts} review={review} isBelowDiff={isBelowDiff} wordsOf={wordsOf} />}
    </TrayFrame>
  )
}

/** The lines that the signature adds and removes with the current decisions. Null for changes without lines. */
function decidedLines(call: CallItem, review: Review | null): ReturnType<typeof linesOf> {
  const proposed = linesOf(call)
  return proposed && ((review && signedLines(review)) ?? proposed)
}

/** Opens the page on which a request is reviewed best. Undefined if the tray is enough. */
function pageOf(desk: Desk, sessionId: SessionId, call: CallItem, review: Review | null): (() => void) | undefined {
  if (broughtFrom(call) !== null) return () => showBringIn(desk, sessionId)
  return review?.list ? () => reviewStep(desk, call.toolCallId) : undefined
}

function focusFirst<T>({ effects }: CallItem, body: T, refuse: RefObject<HTMLButtonElement | null>): T | typeof refuse {
  return effects.some((effect) => effect.kind === 'command') ? refuse : body
}

function asideOf(call: CallItem, who: string | null): string | undefined {
  const asker = who === null ? [] : [`asked by the ${who}`]
  const from = broughtFrom(call)
  const copied =
    copiedCommand(call) === null || (from && !from.agent)
      ? []
      : [`in ${from ? 'its layer, the folder has not changed yet' : 'a copy, nothing is written yet'}`]
  const note = commandNote(call)
  const outside = isOutsidePlan(call.effects) ? ['outside the plan'] : []
  const task = isSubagentCall(call) ? textArgument(call, 'description') : ''
  return [...(task === '' ? [] : [`“${task}”`]), ...(note === null ? [] : [note]), ...outside, ...copied, ...asker].join(', ') || undefined
}
