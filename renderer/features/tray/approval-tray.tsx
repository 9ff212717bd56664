import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { type Answer, type Signing, UNSEEN } from '../../state/approval-desk.ts'
import { useDesk, useView } from '../../state/desk-context.ts'
import type { Desk } from '../../state/desk.ts'
import { isTyping } from '../../state/keys.ts'
import { filesOf, useStepTexts } from '../../state/use-step-texts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { duration } from '../../ui/format.ts'
import { useElapsed } from '../../ui/hooks/use-elapsed.ts'
import { useFullyVisible } from '../../ui/hooks/use-fully-visible.ts'
import { type Hold, useHold } from '../../ui/hooks/use-hold.ts'
import { TrayFrame } from '../../ui/ledger/tray-frame.tsx'
import { RefusalNote } from './refusal-note.tsx'
import { RequestBody } from './request-body.tsx'
import { signWords, titleOf } from './request-words.ts'
import { SignControl } from './sign-control.tsx'
import styles from './tray.module.css'

export interface ApprovalTrayProps {
  readonly sessionId: SessionId
  readonly call: CallItem
  /** How many requests wait, this one included; 0: it has just been signed. */
  readonly of: number
  readonly leaving: boolean
  readonly onSignedShown: () => void
}

/** One request: what exactly will happen, and the three answers. It never takes the focus; keys act only while it has it (look §7). */
export function ApprovalTray({ sessionId, call, of, leaving, onSignedShown }: ApprovalTrayProps): ReactNode {
  const desk = useDesk()
  const { approval } = call
  const tray = useRef<HTMLElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const refuseButton = useRef<HTMLButtonElement>(null)
  const [noting, setNoting] = useState(false)
  const texts = useStepTexts(sessionId, filesOf(call.effects))
  const signing = useSigning(desk, sessionId, call, useSees(tray, texts.kind === 'loaded'))
  const answer = (given: Answer): void => void desk.signing.answer(sessionId, call, given)
  const sign = (): void => answer({ kind: 'sign' })
  const refuse = (note: string | null): void => answer({ kind: 'refuse', note })
  const armed = signing.kind === 'armed'
  const hold = useHold({ armed, onHeld: sign })
  useFocusBack(desk, tray, signing)

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
      number={call.step}
      mark={signing.kind === 'answered' ? 'signed' : 'pending'}
      title={titleOf(call)}
      aside={of > 1 ? `1 of ${of}` : undefined}
      headEnd={signing.kind === 'answered' ? undefined : <Asked since={approval?.requestedAt ?? call.at} />}
      answerKeys={signing.kind === 'answered' ? undefined : 'Mod+J'}
      leaving={leaving}
      onFocus={onFocus}
      onBlur={hold.release}
      onKeyDown={(event) => onTrayKey(event, { armed, destructive, hold, sign, refuse })}
      onKeyUp={hold.release}
      foot={
        noting && signing.kind !== 'answered' ? (
          <RefusalNote busy={signing.kind === 'sending'} onSend={refuse} onLeave={() => setNoting(false)} />
        ) : (
          <>
            <Refusals signing={signing} refuseButton={refuseButton} onRefuse={() => refuse(null)} onNote={() => setNoting(true)} />
            <Note signing={signing} failed={texts.kind === 'failed'} />
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
      <RequestBody call={call} texts={texts} />
    </TrayFrame>
  )
}

interface TrayKeys {
  readonly armed: boolean
  readonly destructive: boolean
  readonly hold: Hold
  readonly sign: () => void
  readonly refuse: (note: null) => void
}

/** Ctrl Enter signs, Ctrl Del refuses: never while the caret is in a text field, and a key held down beforehand does nothing. */
function onTrayKey(event: KeyboardEvent, { armed, destructive, hold, sign, refuse }: TrayKeys): void {
  if (isTyping(event.target) || event.altKey || event.shiftKey || !(event.ctrlKey || event.metaKey)) return
  const signs = event.key === 'Enter'
  const refuses = event.key === 'Delete' || event.key === 'Backspace'
  if (!signs && !refuses) return
  event.preventDefault()
  if (event.repeat) return
  if (refuses) refuse(null)
  else if (armed && destructive) hold.press()
  else if (armed) sign()
}

/** Whether the person has the whole request before their eyes: read, fully on screen, nothing over it. */
function useSees(tray: React.RefObject<HTMLElement | null>, isRead: boolean): boolean {
  const isVisible = useFullyVisible(tray)
  const isOverlaid = useView((view) => view.overlay !== null)
  return isVisible && isRead && !isOverlaid
}

/** How far this window is; what is armed and out of sight again cannot be signed. */
function useSigning(desk: Desk, sessionId: SessionId, { approval }: CallItem, sees: boolean): Signing {
  const id = approval?.approvalId
  const signing = useStore(desk.signing.store, (all) => (id && all.get(id)) ?? UNSEEN)
  const isConnected = useStore(desk.connection.state, (state) => state.kind === 'open')
  useEffect(() => {
    if (sees && isConnected && id && signing.kind === 'unseen') void desk.signing.shown(sessionId, id)
  }, [desk, sees, isConnected, sessionId, id, signing.kind])
  return signing.kind === 'armed' && !sees ? { kind: 'arming', note: signing.note } : signing
}

/** Once answered, the focus goes back where it was before Ctrl J, unless it has left the tray already. */
function useFocusBack(desk: Desk, tray: React.RefObject<HTMLElement | null>, signing: Signing): void {
  const isAnswered = signing.kind === 'answered'
  useEffect(() => {
    if (isAnswered && tray.current?.contains(document.activeElement)) desk.returnPoint.goBack()
  }, [desk, tray, isAnswered])
}

interface RefusalsProps {
  readonly signing: Signing
  readonly refuseButton: React.RefObject<HTMLButtonElement | null>
  readonly onRefuse: () => void
  readonly onNote: () => void
}

function Refusals({ signing, refuseButton, onRefuse, onNote }: RefusalsProps): ReactNode {
  if (signing.kind === 'answered' || signing.kind === 'void') return null
  return (
    <>
      <Button
        ref={refuseButton}
        variant="quiet"
        keys="Mod+Del"
        busy={signing.kind === 'sending' && signing.answer === 'refuse'}
        busyWord="Refusing"
        onPress={onRefuse}
      >
        Refuse
      </Button>
      <Button variant="quiet" onPress={onNote}>
        Refuse with a note
      </Button>
    </>
  )
}

/** Why it cannot be signed now, or why an earlier answer did not count. */
function Note({ signing, failed }: { readonly signing: Signing; readonly failed: boolean }): ReactNode {
  const note = 'note' in signing ? signing.note : signing.kind === 'void' ? signing.message : null
  const words = failed ? 'It can be signed once the whole difference is on screen.' : note
  return words === null ? null : (
    <span className={styles.why} role="status">
      {words}
    </span>
  )
}

function Asked({ since }: { readonly since: number }): ReactNode {
  const elapsed = useElapsed(since)
  const words = elapsed < 5_000 ? 'asked just now' : `asked ${duration(Math.floor(elapsed / 1000) * 1000).replace(/\.0/, '')} ago`
  return <span>{words}</span>
}
