import { type FocusEvent, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import type { Answer } from '../../state/approval-desk.ts'
import { useDesk } from '../../state/desk-context.ts'
import { nameOf } from '../../state/session-list.ts'
import { filesOf, useStepTexts } from '../../state/use-step-texts.ts'
import { useHold } from '../../ui/hooks/use-hold.ts'
import { TrayFrame } from '../../ui/ledger/tray-frame.tsx'
import { RefusalNote } from './refusal-note.tsx'
import { RequestBody, type RequestBodyProps } from './request-body.tsx'
import { RequestTitle } from './request-title.tsx'
import { signWords } from './request-words.ts'
import { SignControl } from './sign-control.tsx'
import { onTrayKey } from './tray-keys.ts'
import { HeadEnd, Note, type Queue, Refusals } from './tray-parts.tsx'
import { useMissedKey } from './use-missed-key.ts'
import { useFocusBack, useSees, useSigning } from './use-signing.ts'

export interface ApprovalTrayProps {
  readonly sessionId: SessionId
  readonly call: CallItem
  /** The subagent that asks; null: the session's own agent. */
  readonly who: string | null
  readonly queue: Queue
  readonly leaving: boolean
  readonly onSignedShown: () => void
  readonly wordsOf: RequestBodyProps['wordsOf']
}

/** One request: what exactly will happen, and the three answers. It never takes the focus; keys act only while it has it (look §7). */
export function ApprovalTray({ sessionId, call, who, queue, leaving, onSignedShown, wordsOf }: ApprovalTrayProps): ReactNode {
  const desk = useDesk()
  const { approval } = call
  const project = useStore(desk.list, ({ sessions }) => nameOf(sessions.get(sessionId)?.folder ?? ''))
  const tray = useRef<HTMLElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const refuseButton = useRef<HTMLButtonElement>(null)
  const noteButton = useRef<HTMLButtonElement>(null)
  const [noting, setNoting] = useState(false)
  const texts = useStepTexts(sessionId, filesOf(call.effects))
  const signing = useSigning(desk, sessionId, call, useSees(tray, texts.kind === 'loaded'))
  const answer = (given: Answer): void => void desk.signing.answer(sessionId, call, given)
  const sign = (): void => answer({ kind: 'sign' })
  const refuse = (note: string | null): void => answer({ kind: 'refuse', note })
  const armed = signing.kind === 'armed'
  const hold = useHold({ armed, onHeld: sign })
  useFocusBack(desk, tray, signing)
  const missed = useMissedKey(tray)

  /** The focus lands where the answer begins: on what is to be read, or on Refuse for a command. */
  const onFocus = (event: FocusEvent): void => {
    if (event.target !== tray.current) return
    const isCommand = call.effects.some((effect) => effect.kind === 'command')
    ;(isCommand ? refuseButton.current : body.current)?.focus({ preventScroll: true })
  }
  const destructive = approval?.destructive ?? true
  return (
    <TrayFrame
      ref={tray}
      bodyRef={body}
      tone={signing.kind === 'answered' ? 'answered' : 'needs'}
      number={call.step}
      mark={signing.kind === 'answered' ? 'signed' : 'pending'}
      title={<RequestTitle call={call} />}
      aside={asideOf(who, queue, project)}
      headEnd={signing.kind !== 'answered' && <HeadEnd queue={queue} since={approval?.requestedAt ?? call.at} />}
      answerKeys={signing.kind === 'answered' ? undefined : 'Mod+J'}
      leaving={leaving}
      onFocus={onFocus}
      onBlur={hold.release}
      onKeyDown={(event) => onTrayKey(event, { armed, destructive, hold, sign, refuse })}
      onKeyUp={hold.release}
      foot={
        noting && signing.kind !== 'answered' ? (
          <RefusalNote
            busy={signing.kind === 'sending'}
            onSend={refuse}
            onLeave={() => {
              flushSync(() => setNoting(false))
              noteButton.current?.focus({ preventScroll: true })
            }}
          />
        ) : (
          <>
            <Refusals
              signing={signing}
              refuseButton={refuseButton}
              noteButton={noteButton}
              onRefuse={() => refuse(null)}
              onNote={() => setNoting(true)}
            />
            <Note signing={signing} failed={texts.kind === 'failed'} missed={missed} destructive={destructive} />
            <SignControl
              words={signWords(call)}
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
      {/* once signed the ledger has it, and there it moves on: what was asked would be stale */}
      {signing.kind !== 'answered' && <RequestBody call={call} texts={texts} wordsOf={wordsOf} />}
    </TrayFrame>
  )
}

/** In which project, who asks, and which of how many it is. */
function asideOf(who: string | null, { of, place, asked }: Queue, project: string): string | undefined {
  const parts = [
    project === '' ? '' : `in ${project}`,
    who === null ? '' : `asked by the ${who}`,
    asked > 1 && of > 0 ? `${place + 1} of ${asked}` : '',
  ]
  return parts.filter((part) => part !== '').join(', ') || undefined
}
