import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { filesOf, type WorkPlan } from '../../../../shared/workflow/work-plan.ts'
import { changesOf, replyOf } from '../../../state/stores/plan-drafts.ts'
import { usePlanDraft } from '../../../state/hooks/use-plan-draft.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { counted } from '../../../ui/format.ts'
import { useHold } from '../../../ui/hooks/use-hold.ts'
import { TrayFrame } from '../../../ui/ledger/tray-frame.tsx'
import { isComposing } from '../../../ui/is-composing.ts'
import type { ApprovalTrayProps } from '../approval-tray.tsx'
import { RefusalNoteField, useRefusalNote } from '../refusal-note-field.tsx'
import { onTrayKey, useTrayKeys } from '../tray-keys.ts'
import { HeadEnd } from '../tray-parts.tsx'
import { useFocusBack, useSees, useSigning } from '../use-signing.ts'
import { PlanDocument } from './plan-document.tsx'
import { PlanFooter } from './plan-footer.tsx'

export interface PlanTrayProps extends ApprovalTrayProps {
  readonly plan: WorkPlan
}

/** A plan as a document. The user can edit, drop, move and ask about each step before the plan is signed, sent back or rejected. */
export function PlanTray({ sessionId, call, plan, who, step, queue, leaving, onSignedShown, wordsOf }: PlanTrayProps): ReactNode {
  const desk = useDesk()
  const tray = useRef<HTMLElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const [draft, change] = usePlanDraft(call, plan)
  const note = useRefusalNote(sessionId, call, body)
  // Each question creates the field again, so that it gets the focus.
  const [asked, setAsked] = useState(0)
  const signing = useSigning(desk, sessionId, call, useSees(tray, true))
  const isAnswered = signing.kind === 'answered'
  const kept = draft.steps.filter(({ id }) => !draft.dropped.has(id))
  const changes = changesOf(plan, draft)
  const whyNot = draft.editing !== null ? STILL_EDITING : plan.steps.length > 0 && kept.length === 0 ? ALL_DROPPED : null
  const sign = (): void => void desk.signing.answer(sessionId, call, { kind: 'sign', reply: replyOf(plan, draft) })
  const refuse = (text: string | null): void => void desk.signing.answer(sessionId, call, { kind: 'refuse', note: text })
  const armed = signing.kind === 'armed' && whyNot === null
  const hold = useHold({ armed: false, onHeld: () => {} })
  useFocusBack(desk, tray, signing, call)
  const { missed, own } = useTrayKeys(tray)
  const askAbout = (title: string, nr: number): void => {
    const about = `About step ${nr}, “${title}”: `
    note.write(note.text === null || note.text === '' ? about : `${note.text.trimEnd()}\n${about}`)
    setAsked(asked + 1)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || isComposing(event.nativeEvent)) return
    if (event.key === 'Escape' && draft.editing !== null) {
      event.preventDefault()
      flushSync(() => change((now) => ({ ...now, editing: null })))
      body.current?.focus({ preventScroll: true })
    } else onTrayKey(event, { own, armed, destructive: false, hold, sign, refuse })
  }
  return (
    <TrayFrame
      ref={tray}
      bodyRef={body}
      full
      tone={isAnswered ? 'answered' : 'needs'}
      number={step ?? undefined}
      mark={isAnswered ? 'signed' : 'pending'}
      title={kept.length === 0 ? 'Plan' : `Plan of ${counted(kept.length, 'step')}`}
      aside={asideOf(who, filesOf({ ...plan, steps: kept }).length)}
      headEnd={
        !isAnswered && (
          <PlanHeadEnd
            isEditing={draft.editing !== null}
            changes={changes.length}
            queue={queue}
            since={call.approval?.requestedAt ?? call.at}
          />
        )
      }
      answerKeys={isAnswered ? undefined : 'Mod+J'}
      leaving={leaving}
      onFocus={({ target }) => {
        if (target === tray.current) body.current?.focus({ preventScroll: true })
      }}
      onKeyDown={onKeyDown}
      foot={
        note.text !== null && !isAnswered ? (
          <RefusalNoteField key={asked} {...SENDING_BACK} note={note} busy={signing.kind === 'sending'} onSend={refuse} />
        ) : (
          <PlanFooter
            draft={draft}
            whyNot={whyNot}
            signing={signing}
            hold={hold}
            missed={missed}
            onSignedShown={onSignedShown}
            onChange={change}
            onRefuse={() => refuse(null)}
            onNote={note.open}
            onSign={sign}
          />
        )
      }
    >
      {!isAnswered && <PlanDocument plan={plan} draft={draft} changes={changes} onChange={change} onAsk={askAbout} wordsOf={wordsOf} />}
    </TrayFrame>
  )
}

const SENDING_BACK = { label: 'What the next plan should do differently', words: 'Send back', busyWord: 'Sending' }

const STILL_EDITING = 'Finish editing the step first (Done, or Esc).'
const ALL_DROPPED = 'Every step is dropped. Refuse the plan instead, or restore a step.'

function asideOf(who: string | null, files: number): string | undefined {
  return [...(who === null ? [] : [`asked by the ${who}`]), ...(files > 0 ? [counted(files, 'file')] : [])].join(', ') || undefined
}

interface PlanHeadEndProps extends Pick<PlanTrayProps, 'queue'> {
  readonly isEditing: boolean
  /** Number of edits that the user made to the plan. */
  readonly changes: number
  /** Ms since 1970. */
  readonly since: number
}

function PlanHeadEnd({ isEditing, changes, queue, since }: PlanHeadEndProps): ReactNode {
  if (isEditing) return <span>Esc ends editing</span>
  return changes > 0 ? <span>{counted(changes, 'change')} by you</span> : <HeadEnd queue={queue} since={since} lines={null} />
}
