import { type ReactNode, useId } from 'react'
import { classNames } from '../../class-names.ts'
import type { Hold } from '../../hooks/use-hold.ts'
import { Reason } from '../../notices/screen-reader.tsx'
import { useAriaKeys } from '../../marks/key-labels.ts'
import shared from '../button-base.module.css'
import styles from './hold-button.module.css'
import { SigningFaces } from './sign-button.tsx'

export interface HoldButtonProps {
  /**
   * The result of `useHold`, so that a key of the tray can hold the button too. It must not be armed while the button is busy or disabled.
   */
  readonly hold: Hold
  /** The label: "Hold to sign and run". */
  readonly children: ReactNode
  readonly busy?: boolean | undefined
  readonly busyWord?: string | undefined
  readonly keys?: string | undefined
  readonly disabledReason?: string | null | undefined
  readonly className?: string | undefined
}

/** The button that signs a destructive request. It must be held for 900 ms, while a progress line runs across it. */
export function HoldButton(props: HoldButtonProps): ReactNode {
  const { hold, busy = false, disabledReason = null } = props
  const reasonId = useId()
  const ariaKeys = useAriaKeys(props.keys)
  const disabled = disabledReason !== null
  const live = hold.armed && !busy && !disabled
  return (
    <>
      <button
        type="button"
        className={classNames(shared.base, styles.hold, hold.holding && live && styles.holding, props.className)}
        aria-disabled={!live || undefined}
        aria-busy={busy || undefined}
        aria-keyshortcuts={ariaKeys}
        aria-describedby={reasonId}
        data-armed={hold.armed}
        data-disabled={disabled || undefined}
        data-tip={disabledReason ?? undefined}
        onContextMenu={(event) => event.preventDefault()}
        {...(live ? hold.handlers : {})}
      >
        <SigningFaces armed={hold.armed} busy={busy} busyWord={props.busyWord} keys={props.keys}>
          {props.children}
        </SigningFaces>
        <span className={styles.line} aria-hidden="true" />
      </button>
      <Reason id={reasonId}>{disabledReason ?? 'Keep it pressed for 0.9 s'}</Reason>
    </>
  )
}
