import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { classNames } from '../class-names.ts'
import styles from './overlay.module.css'

export interface OverlayProps {
  /** Named for screen readers: "Commands". */
  readonly label: string
  /** Escape, and a press outside. */
  readonly onClose: () => void
  /** Where the focus goes: to the first control, or to the whole, where there is nothing to do but read. */
  readonly focus?: 'first' | 'self' | undefined
  /** Its place and width. */
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** What lies over the whole desk until it is answered or left: the rest is inert meanwhile, and the focus goes back where it was. */
export function Overlay({ label, onClose, focus = 'first', className, children }: OverlayProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    if (element === null) return
    if (!element.open) element.showModal()
    if (focus === 'self') element.focus()
    // closed before it is taken out of the page, since only then the browser gives the focus back
    return () => element.close()
  }, [focus])
  return (
    <dialog
      ref={dialog}
      className={classNames(styles.overlay, className)}
      aria-label={label}
      tabIndex={-1}
      {...{ closedby: 'any' }}
      onClose={(event) => {
        const { currentTarget: element } = event
        if (event.target === element && element.isConnected && !element.open) onClose()
      }}
    >
      {children}
    </dialog>
  )
}
