import { type KeyboardEvent, type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import type { Answer } from '../../../state/stores/approval-desk.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { useHold } from '../../../ui/hooks/use-hold.ts'
import { TrayFrame } from '../../../ui/ledger/tray-frame.tsx'
import { type BatchKind, batchWords, signingTogether } from './batch-kind.ts'
import { BatchPart, type PartState } from './batch-part.tsx'
import type { RequestBodyProps } from '../request-body.tsx'
import { SignControl } from '../sign-control.tsx'
import { onTrayKey, useTrayKeys } from '../tray-keys.ts'
import { Note, Refusals } from '../tray-parts.tsx'
import { useFocusBack, useSees } from '../use-signing.ts'

export interface BatchTrayProps extends Pick<RequestBodyProps, 'wordsOf'> {
  readonly sessionId: SessionId
  /** The requests in their order. All are of the same kind. */
  readonly calls: readonly CallItem[]
  readonly kind: BatchKind
  /** Name of the subagent that needs the signatures. Null for the session's own agent. */
  readonly who: string | null
  readonly onOneByOne: () => void
}

/**
 * Several requests of one kind, all shown in full, one below the other, and signed or refused together. Each request gets its own answer in
 * the log.
 */
export function BatchTray({ sessionId, calls, kind, who, onOneByOne, wordsOf }: BatchTrayProps): ReactNode {
  const desk = useDesk()
  const tray = useRef<HTMLElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const refuseButton = useRef<HTMLButtonElement>(null)
  const [parts, setParts] = useState<ReadonlyMap<string, PartState>>(new Map())
  const onState = useCallback((id: string, state: PartState) => setParts((all) => new Map(all).set(id, state)), [])
  const own = useMemo(() => calls.map(({ id }) => parts.get(id)), [calls, parts])
  const isLoaded = own.every((part) => part?.isLoaded)
  const sees = useSees(tray, isLoaded)
  const signings = useStore(desk.signing.store)
  const signing = signingTogether(calls, signings, sees)
  const whyNot = own.find((part) => part?.whyNot)?.whyNot ?? null
  const answerAll = (of: (part: PartState | undefined) => Answer): void => {
    for (const call of calls) void desk.signing.answer(sessionId, call, of(parts.get(call.id)))
  }
  const sign = (): void => answerAll((part) => part?.answer ?? { kind: 'sign' })
  const refuse = (): void => answerAll(() => ({ kind: 'refuse', note: null }))
  const armed = signing.kind === 'armed' && whyNot === null
  // Requests that are signed together never destroy anything, so no button needs to be held down.
  const hold = useHold({ armed: false, onHeld: () => {} })
  useFocusBack(desk, tray, signing, calls[0])
  const { missed, own: ownKey } = useTrayKeys(tray)
  const onKeyDown = (event: KeyboardEvent): void => onTrayKey(event, { own: ownKey, armed, destructive: false, hold, sign, refuse })
  const words = batchWords(kind, calls)
  return (
    <TrayFrame
      ref={tray}
      bodyRef={body}
      mark="pending"
      title={`Sign ${words}`}
      aside={who === null ? undefined : `asked by the ${who}`}
      headEnd={
        <Button variant="quiet" small onPress={onOneByOne}>
          One by one
        </Button>
      }
      answerKeys="Mod+J"
      onFocus={({ target }) => {
        if (target === tray.current) body.current?.focus({ preventScroll: true })
      }}
      onKeyDown={onKeyDown}
      foot={
        <>
          <Refusals signing={signing} refuseButton={refuseButton} onRefuse={refuse} words="Refuse all" />
          <Note signing={signing} whyNot={whyNot} failed={own.some((part) => part?.hasFailed)} missed={missed} destructive={false} />
          <SignControl
            words={`Sign ${words}`}
            whyNot={whyNot}
            destructive={false}
            signing={signing}
            hold={hold}
            onSign={sign}
            onSignedShown={() => {}}
          />
        </>
      }
    >
      {calls.map((call, at) => (
        <BatchPart
          key={call.id}
          sessionId={sessionId}
          call={call}
          place={`${at + 1} of ${calls.length}`}
          sees={sees}
          onState={onState}
          wordsOf={wordsOf}
        />
      ))}
    </TrayFrame>
  )
}
