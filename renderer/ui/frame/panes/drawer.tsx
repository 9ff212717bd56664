/* oxlint-disable jsx-a11y/no-static-element-interactions -- handles Escape of the focused element inside */
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { classNames } from '../../class-names.ts'
import styles from './drawer.module.css'

/** `column`: a pane like the others. Otherwise it is a drawer above the work pane. */
export type DrawerState = 'column' | 'closed' | 'open'

export interface DrawerProps {
  readonly side: 'left' | 'right'
  readonly state: DrawerState
  /** Called on Escape, on a click outside, and if an open column would become an open drawer because the window became narrow. */
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A side pane that floats over the work pane in a narrow window. Its content stays mounted, so that a terminal in it keeps running. */
export function Drawer({ side, state, onClose, children }: DrawerProps): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })

  const before = useRef<DrawerState>('closed')
  useLayoutEffect(() => {
    const was = before.current
    before.current = state
    const element = box.current
    if (state !== 'open' || element === null) return
    if (was === 'column') {
      close.current()
      return
    }
    const returnFocus = moveFocusInto(element)
    const stopListening = onPressOutside(element, () => close.current())
    return () => {
      stopListening()
      returnFocus()
    }
  }, [state])

  return (
    <div
      ref={box}
      className={classNames(styles.drawer, styles[side], state !== 'column' && styles.floating, state === 'open' && styles.open)}
      data-drawer={state === 'column' ? undefined : state}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || state !== 'open' || event.defaultPrevented) return
        event.stopPropagation()
        onClose()
      }}
    >
      {children}
    </div>
  )
}

/** Focuses the drawer's pane. The result returns the focus to where it was, unless it has left the drawer meanwhile. */
function moveFocusInto(drawer: HTMLElement): () => void {
  const before = document.activeElement
  drawer.querySelector<HTMLElement>('[data-pane]')?.focus()
  return () => {
    if (drawer.contains(document.activeElement) && before instanceof HTMLElement) before.focus()
  }
}

function onPressOutside(drawer: HTMLElement, close: () => void): () => void {
  const onPointerDown = ({ target }: PointerEvent): void => {
    // Menus and the palette are above the drawer, so a click in them is not outside.
    const isOverlay = target instanceof Element && target.closest('[popover], dialog') !== null
    if (target instanceof Node && !drawer.contains(target) && !isOverlay) close()
  }
  document.addEventListener('pointerdown', onPointerDown)
  return () => document.removeEventListener('pointerdown', onPointerDown)
}
