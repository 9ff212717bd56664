import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '../../class-names.ts'
import styles from './overlay.module.css'

export interface OverlayProps {
  /** The accessible name: "Commands". */
  readonly label: string
  /** Called on Escape and on a press outside. */
  readonly onClose: () => void
  /** The element that gets the focus: the first control, or the dialog itself if it is only for reading. */
  readonly focus?: 'first' | 'self' | undefined
  /** Class that sets the position and width. */
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A press outside does not close a dialog that opened less than this time (ms) ago: it may be the second press of a double click. */
const DOUBLE_CLICK_MS = 500

/** A modal dialog above the desk. Everything else is inert, and the focus returns when the dialog closes. */
export function Overlay({ label, onClose, focus = 'first', className, children }: OverlayProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isNew, setNew] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setNew(false), DOUBLE_CLICK_MS)
    return () => clearTimeout(timer)
  }, [])
  useLayoutEffect(() => {
    const element = dialog.current
    if (element === null) return
    if (!element.open) element.showModal()
    if (focus === 'self') element.focus()
    // The dialog is closed before it is removed, so that the browser returns the focus.
    return () => element.close()
  }, [focus])
  return (
    <dialog
      ref={dialog}
      className={classNames(styles.overlay, className)}
      aria-label={label}
      tabIndex={-1}
      closedby={isNew ? 'closerequest' : 'any'}
      // The browser sends the event `cancel` at once but `close` only in a later task. `cancel` is used, so that a key pressed in between
      // already reaches the desk.
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
  /** The accessible name. */
  readonly label: string
  /** Called on Escape and on a press outside. */
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
