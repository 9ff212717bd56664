import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { answersFlaw, answerText, NO_ANSWER, type Question, type QuestionAnswer, withOption } from '../../../../shared/workflow/question.ts'
import type { AskingServer } from '../../../../shared/session/effects.ts'
import type { Signing } from '../../../state/stores/approval-desk.ts'
import { useOpenLink } from '../../../state/hooks/use-open-link.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { useQuestionAnswers } from '../../../state/hooks/use-question-answers.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { counted } from '../../../ui/format.ts'
import { TrayFrame } from '../../../ui/ledger/tray-frame.tsx'
import { ExactText } from '../../../ui/text/exact-text.tsx'
import { OutsideLink } from '../../../ui/text/outside-link.tsx'
import { isComposing } from '../../../ui/is-composing.ts'
import type { ApprovalTrayProps } from '../approval-tray.tsx'
import { HeadEnd, Note } from '../tray-parts.tsx'
import { useFocusBack, useSees, useSigning } from '../use-signing.ts'
import { QuestionFields } from './question-fields.tsx'
import { useDigits } from './use-digits.ts'
import styles from './question.module.css'

export interface QuestionTrayProps extends Omit<ApprovalTrayProps, 'wordsOf'> {
  readonly questions: readonly Question[]
  /** The MCP server that asks. Null if the agent asks. */
  readonly from: AskingServer | null
}

/**
 * Questions from the agent or an MCP server, with their defaults selected. The call waits for the answer without a time limit. Enter sends
 * the answers while the tray has the focus. A digit selects an option unless the user is typing.
 */
export function QuestionTray({ sessionId, call, questions, from, who, step, queue, leaving, onSignedShown }: QuestionTrayProps): ReactNode {
  const desk = useDesk()
  const tray = useRef<HTMLElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const [answers, change] = useQuestionAnswers(call, questions)
  const [isLater, setLater] = useState(false)
  const signing = useSigning(desk, sessionId, call, useSees(tray, !isLater))
  useFocusBack(desk, tray, signing, call)
  const isAnswered = signing.kind === 'answered'
  useEffect(() => {
    if (isAnswered) onSignedShown()
    // The effect depends only on `isAnswered`, so it runs once per answer.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isAnswered])
  const isAnsweredAt = (answer: QuestionAnswer, at: number): boolean => answerText(answer) !== '' || from?.optional.includes(at) === true
  const isComplete = answers.every(isAnsweredAt) && answersFlaw(questions, answers) === null
  const send = (given: readonly QuestionAnswer[]): void =>
    void desk.signing.answer(sessionId, call, { kind: 'sign', reply: { kind: 'answers', answers: given } })
  const decline = (): void => void desk.signing.answer(sessionId, call, { kind: 'refuse', note: null })
  const mayAnswer = isComplete && signing.kind === 'armed'
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || isLater || isComposing(event.nativeEvent)) return
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault()
      if (mayAnswer && !event.repeat) send(answers)
    }
  }
  useDigits(!isAnswered && !isLater, body, (fields, at, digit) => {
    const question = questions[at]
    const option = question?.options?.[digit - 1]
    if (!question || !option) return
    change(at, withOption(question, answers[at] ?? NO_ANSWER, option.label))
    fields.querySelectorAll<HTMLElement>('input:is([type=radio], [type=checkbox])')[digit - 1]?.focus()
  })
  const [first] = questions
  return (
    <TrayFrame
      ref={tray}
      bodyRef={body}
      tone={isAnswered ? 'answered' : 'needs'}
      number={step ?? undefined}
      mark={isAnswered ? 'signed' : 'pending'}
      title={titleOf(questions, from)}
      aside={who === null ? first?.header : `asked by the ${who}`}
      headEnd={!isAnswered && <HeadEnd queue={queue} since={call.approval?.requestedAt ?? call.at} lines={null} />}
      answerKeys={isAnswered ? undefined : 'Mod+J'}
      leaving={leaving}
      onFocus={({ target }) => {
        if (target === tray.current) focusFirst(body.current)
      }}
      onKeyDown={onKeyDown}
      foot={
        !isAnswered && (
          <QuestionFoot
            signing={signing}
            isLater={isLater}
            isComplete={isComplete}
            onLater={() => {
              setLater(!isLater)
              if (!isLater) document.querySelector<HTMLElement>('[data-composer-of]')?.focus()
            }}
            from={from}
            onLeave={() => (from ? decline() : send(questions.map(() => NO_ANSWER)))}
            onAnswer={() => send(answers)}
          />
        )
      }
    >
      {!isAnswered && !isLater && from && <ServerWords from={from} />}
      {!isAnswered && !isLater && <QuestionFields questions={questions} answers={answers} mayWriteOwn={from === null} onChange={change} />}
    </TrayFrame>
  )
}

function titleOf(questions: readonly Question[], from: AskingServer | null): string {
  if (from) return `Question from the MCP server ${from.server}`
  return questions.length === 1 ? 'Question' : counted(questions.length, 'question')
}

/** What the server says about its questions, and who gets the answers. */
function ServerWords({ from: { server, message, address } }: { readonly from: AskingServer }): ReactNode {
  const open = useOpenLink()
  return (
    <div className={styles.server}>
      <p>
        <ExactText text={message} />
      </p>
      {address !== null && (
        <p className="path">
          <OutsideLink url={address} open={open}>
            <ExactText text={address} />
          </OutsideLink>
        </p>
      )}
      <p className="dim">
        {address === null
          ? `The answers go to the server ${server}, which may pass them on to the model. Enter only passwords that belong to this server.`
          : `The server ${server} waits until you have done this on the page above. Check the address before you open it.`}
      </p>
    </div>
  )
}

interface QuestionFootProps {
  readonly signing: Signing
  readonly from: AskingServer | null
  /** Whether the user chose to answer later. If so, the questions are hidden. */
  readonly isLater: boolean
  readonly isComplete: boolean
  readonly onLater: () => void
  readonly onLeave: () => void
  readonly onAnswer: () => void
}

function QuestionFoot({ signing, from, isLater, isComplete, onLater, onLeave, onAnswer }: QuestionFootProps): ReactNode {
  const early = signing.kind === 'armed' ? null : NOT_YET
  return (
    <>
      <Button variant="quiet" expanded={!isLater} onPress={onLater}>
        {isLater ? 'Answer now' : 'Answer later'}
      </Button>
      {!isLater && (
        <>
          <Button
            variant="quiet"
            disabledReason={early}
            tip={from ? 'The server learns that you declined.' : 'The agent chooses, and says what it chose.'}
            onPress={onLeave}
          >
            {from ? 'Decline' : 'Leave it to the agent'}
          </Button>
          <Note signing={signing} whyNot={null} failed={false} missed={false} destructive={false} />
          <Button
            variant="preferred"
            className="push"
            keys="Enter"
            busy={signing.kind === 'sending'}
            busyWord="Answering"
            disabledReason={isComplete ? early : 'Choose or write an answer to each question first.'}
            onPress={onAnswer}
          >
            {from !== null && from.address !== null ? 'Done' : 'Answer'}
          </Button>
        </>
      )}
    </>
  )
}

const NOT_YET = 'The question must be on the screen for a moment first.'

function focusFirst(body: HTMLElement | null): void {
  const field = body?.querySelector<HTMLElement>('input:checked') ?? body?.querySelector<HTMLElement>('input, textarea')
  ;(field ?? body)?.focus({ preventScroll: true })
}
