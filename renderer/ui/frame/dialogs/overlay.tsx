import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { classNames } from '../../class-names.ts'
import styles from './overlay.module.css'

export interface OverlayProps {
  /** Named for screen readers: "Commands". */
  readonly label: string
  /** Escape, and a press outside. */
  readonly onClose: () => void
  /** What gets the focus: the first control, or the dialog itself when it is only for reading. */
  readonly focus?: 'first' | 'self' | undefined
  /** Sets its position and width. */
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A modal dialog over the desk. The rest is inert, and the focus returns when it closes. */
export function Overlay({ label, onClose, focus = 'first', className, children }: OverlayProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    if (element === null) return
    if (!element.open) element.showModal()
    if (focus === 'self') element.focus()
    // close before the removal, so that the browser returns the focus
    return () => element.close()
  }, [focus])
  return (
    <dialog
      ref={dialog}
      className={classNames(styles.overlay, className)}
      aria-label={label}
      tabIndex={-1}
      {...{ closedby: 'any' }}
      // `cancel` is sent at once, `close` in a later task. A key pressed in between must already reach the desk.
      onCancel={({ target, currentTarget }) => {
        if (target === currentTarget) onClose()
      }}
      onClose={(event) => {
        const { currentTarget: element } = event
        if (event.target === element && element.isConnected && !element.open) onClose()
      }}
    >
      {children}
    </dialog>
  )
}

export interface DialogProps {
  /** Named for screen readers. */
  readonly label: string
  /** Escape, and a press outside. */
  readonly onClose: () => void
  readonly buttons: ReactNode
  readonly children: ReactNode
}

/** A modal dialog of text and fields, with buttons below. */
export function Dialog({ label, onClose, buttons, children }: DialogProps): ReactNode {
  return (
    <Overlay label={label} onClose={onClose} className={styles.dialog}>
      <div className={styles.body}>{children}</div>
      <footer className={styles.foot}>{buttons}</footer>
    </Overlay>
  )
}
