import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { classNames } from '../class-names.ts'
import styles from './overlay.module.css'

export interface OverlayProps {
  /** Named for screen readers: "Commands". */
  readonly label: string
  /** Escape, and a press outside. */
  readonly onClose: () => void
  /** Its place and width. */
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** What lies over the whole desk until it is answered or left: the rest is inert meanwhile, and the focus goes back where it was. */
export function Overlay({ label, onClose, className, children }: OverlayProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    if (element === null) return
    if (!element.open) element.showModal()
    // closed before it is taken out of the page, since only then the browser gives the focus back
    return () => element.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={classNames(styles.overlay, className)}
      aria-label={label}
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
