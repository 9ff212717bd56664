import { type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react'
import { assertNever } from '../../../../shared/lib/assert-never.ts'
import { classNames } from '../../class-names.ts'
import { clockTime } from '../../format.ts'
import { useFullyVisible } from '../../hooks/use-fully-visible.ts'
import { BusyRing } from '../../marks/dot.tsx'
import { Kbd } from '../../marks/kbd.tsx'
import { Mark } from '../../marks/mark.tsx'
import { Reason } from '../../notices/screen-reader.tsx'
import { useAriaKeys } from '../../marks/key-labels.ts'
import { ANSWER_DELAY_MS } from '../../../../shared/session/answer-delay.ts'
import shared from '../button-base.module.css'
import styles from './sign-button.module.css'

/** State of a signature: possible, being written to the log, or written to the log at `at` (ms since 1970). */
export type SignPhase = { readonly kind: 'ready' } | { readonly kind: 'writing' } | { readonly kind: 'signed'; readonly at: number }

/** How long "Signed 14:05:02" is shown before the tray closes, in ms. */
const SIGNED_MS = 400

export interface SignButtonProps {
  readonly phase: SignPhase
  /** The label, which says what is signed: "Sign 2 of 3 hunks". */
  readonly children: ReactNode
  readonly onSign: () => void
  /** Called once, 400 ms after `signed`. */
  readonly onSignedShown?: (() => void) | undefined
  /** Whether the button may be pressed. If left out, the button is armed 300 ms after it is completely on screen. */
  readonly armed?: boolean | undefined
  readonly keys?: string | undefined
  readonly busyWord?: string | undefined
  readonly disabledReason?: string | null | undefined
  readonly className?: string | undefined
  readonly ref?: Ref<HTMLButtonElement> | undefined
}

/**
 * The filled button. Pressing it is a signature. It is only outlined until it is armed. After one press, it ignores further presses until
 * `phase` returns from `writing` to `ready`.
 */
export function SignButton(props: SignButtonProps): ReactNode {
  const { phase, onSignedShown } = props
  const shown = useRef(onSignedShown)
  useEffect(() => {
    shown.current = onSignedShown
  })
  const signed = phase.kind === 'signed'
  useEffect(() => {
    if (!signed) return
    const timer = setTimeout(() => shown.current?.(), SIGNED_MS)
    return () => clearTimeout(timer)
  }, [signed])

  switch (phase.kind) {
    case 'signed':
      return (
        <output className={classNames(styles.signed, props.className)}>
          <Mark kind="signed" silent drawn />
          <span>
            Signed <time dateTime={new Date(phase.at).toISOString()}>{clockTime(phase.at)}</time>
          </span>
        </output>
      )
    case 'ready':
    case 'writing':
      return <Unsigned {...props} writing={phase.kind === 'writing'} />
    default:
      return assertNever(phase)
  }
}

function Unsigned({ ref, ...props }: SignButtonProps & { readonly writing: boolean }): ReactNode {
  const { writing, disabledReason = null } = props
  const own = useRef<HTMLSpanElement>(null)
  const seen = useFullyVisible(own, props.armed === undefined)
  const armedBySight = useArmed(seen)
  const armed = props.armed ?? armedBySight
  const pressedOnce = usePressOnce(writing)
  const busy = writing || pressedOnce.pressed
  const reasonId = useId()
  const ariaKeys = useAriaKeys(props.keys)
  const disabled = disabledReason !== null
  return (
    <span ref={own} className={classNames(styles.place, props.className)}>
      <button
        ref={ref}
        type="button"
        className={classNames(shared.base, styles.sign, !armed && !busy && styles.arming)}
        aria-disabled={!armed || busy || disabled || undefined}
        aria-busy={busy || undefined}
        aria-keyshortcuts={ariaKeys}
        aria-describedby={disabled ? reasonId : undefined}
        data-armed={armed && !disabled}
        data-disabled={disabled || undefined}
        data-tip={disabledReason ?? undefined}
        onClick={() => {
          if (armed && !disabled && pressedOnce.take()) props.onSign()
        }}
      >
        <SigningFaces armed={armed} busy={busy} busyWord={props.busyWord} keys={props.keys}>
          {props.children}
        </SigningFaces>
      </button>
      {disabled && <Reason id={reasonId}>{disabledReason}</Reason>}
    </span>
  )
}

interface SigningFacesProps {
  readonly armed: boolean
  readonly busy: boolean
  readonly busyWord?: string | undefined
  readonly keys?: string | undefined
  readonly children: ReactNode
}

/** The normal content and the busy content of a signing button. Both are in one cell, and only one of them is visible. */
export function SigningFaces({ armed, busy, busyWord = 'Writing', keys, children }: SigningFacesProps): ReactNode {
  return (
    <>
      <span className={classNames(shared.face, busy && shared.away)} aria-hidden={busy || undefined}>
        <Mark kind={armed || busy ? 'signed' : 'proposed'} silent />
        {children}
        {keys !== undefined && <Kbd keys={keys} className={styles.keys} />}
      </span>
      <span className={classNames(shared.face, !busy && shared.away)} aria-hidden={!busy || undefined}>
        <BusyRing />
        {busyWord}
      </span>
    </>
  )
}

/** Accepts one press, and another one when `writing` ends without a signature. */
function usePressOnce(writing: boolean): { readonly pressed: boolean; readonly take: () => boolean } {
  // The ref decides whether a press counts, because two presses can happen before a render. The state is only for rendering.
  const taken = useRef(false)
  const [pressed, setPressed] = useState(false)
  useEffect(() => {
    if (!writing) return
    return () => {
      taken.current = false
      setPressed(false)
    }
  }, [writing])
  const take = (): boolean => {
    if (taken.current || writing) return false
    taken.current = true
    setPressed(true)
    return true
  }
  return { pressed, take }
}

/** True once `visible` has been true for 300 ms without interruption. */
function useArmed(visible: boolean): boolean {
  const [armed, setArmed] = useState(false)
  useEffect(() => {
    if (!visible) return
    const timer = setTimeout(() => setArmed(true), ANSWER_DELAY_MS)
    return () => {
      clearTimeout(timer)
      setArmed(false)
    }
  }, [visible])
  return visible && armed
}
