/* oxlint-disable jsx-a11y/no-static-element-interactions -- its role is a menu or a list, given by its user */
import { type KeyboardEventHandler, type ReactNode, type Ref, useEffect, useState } from 'react'
import { classNames } from '../class-names.ts'
import { ErrorBoundary } from '../notices/error-boundary.tsx'
import styles from './popup.module.css'

export interface PopupProps {
  readonly id: string
  readonly role: 'menu' | 'listbox'
  readonly label: string
  /** The edge that the popup shares with the element that opened it. The browser uses the other edge if there is no room. */
  readonly align?: 'start' | 'end' | undefined
  /** Called directly before the popup opens and renders. */
  readonly onOpening?: (() => void) | undefined
  /** Called after the popup has opened or closed. */
  readonly onOpenChange: (open: boolean) => void
  readonly onKeyDown?: KeyboardEventHandler<HTMLDivElement> | undefined
  readonly ref?: Ref<HTMLDivElement> | undefined
  /** Rendered only while the popup is open. */
  readonly children: () => ReactNode
}

/** A popover at a button, positioned by the browser. Escape or a click outside closes it and returns the focus. */
export function Popup({ ref, ...props }: PopupProps): ReactNode {
  const { id } = props
  const [open, setOpen] = useState(false)
  // Tab closes the popup even if the focus is elsewhere.
  useEffect(() => {
    if (!open) return
    const leave = (event: KeyboardEvent): void => {
      if (event.key === 'Tab') document.getElementById(id)?.hidePopover()
    }
    document.addEventListener('keydown', leave, true)
    return () => document.removeEventListener('keydown', leave, true)
  }, [open, id])
  return (
    <div
      ref={ref}
      id={id}
      popover="auto"
      role={props.role}
      aria-label={props.label}
      tabIndex={-1}
      className={classNames(styles.popup, props.align === 'end' && styles.end)}
      onBeforeToggle={(event) => {
        if (event.newState !== 'open') return
        setOpen(true)
        props.onOpening?.()
      }}
      onToggle={(event) => {
        const now = event.newState === 'open'
        setOpen(now)
        props.onOpenChange(now)
      }}
      onKeyDown={props.onKeyDown}
    >
      {open && (
        <ErrorBoundary what={props.label} isFrameless>
          <Content of={props.children} />
        </ErrorBoundary>
      )}
    </div>
  )
}

/** A component of its own, so that an error in what the popup renders is caught by the boundary around it. */
function Content({ of }: { readonly of: () => ReactNode }): ReactNode {
  return of()
}
