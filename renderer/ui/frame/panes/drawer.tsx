/* oxlint-disable jsx-a11y/no-static-element-interactions -- handles Escape of the focused element inside */
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { classNames } from '../../class-names.ts'
import styles from './drawer.module.css'

export interface DrawerProps {
  readonly side: 'left' | 'right'
  /** Whether the pane is a drawer above the work pane (below 1080 px). Otherwise it is a pane like the others. */
  readonly floating: boolean
  /** Whether the drawer is open. Has no effect unless it floats. */
  readonly open: boolean
  /** Called on Escape and on a click outside. */
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A side pane that floats over the work pane in a narrow window. Its content stays mounted, so that a terminal in it keeps running. */
export function Drawer({ side, floating, open, onClose, children }: DrawerProps): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const out = floating && open
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })

  const stood = useRef(false)
  useLayoutEffect(() => {
    const element = box.current
    if (!out || element === null) {
      stood.current = !floating
      return
    }
    // When the window becomes narrow, a pane that was a column is closed instead of becoming an open drawer.
    if (stood.current) {
      stood.current = false
      close.current()
      return
    }
    const before = document.activeElement
    // The drawer was opened with a button or key, so it gets the focus and returns it when it closes.
    element.querySelector<HTMLElement>('[data-pane]')?.focus()
    const onPointerDown = (event: PointerEvent): void => {
      if (event.target instanceof Node && !element.contains(event.target) && !isOverlay(event.target)) close.current()
    }
    document.addEventListener('pointerdown', onPointerDown)
    return () => {
      document.removeEventListener('pointerdown', onPointerDown)
      if (element.contains(document.activeElement) && before instanceof HTMLElement) before.focus()
    }
  }, [out, floating])

  return (
    <div
      ref={box}
      className={classNames(styles.drawer, styles[side], floating && styles.floating, out && styles.open)}
      data-drawer={floating ? (open ? 'open' : 'closed') : undefined}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !out || event.defaultPrevented) return
        event.stopPropagation()
        onClose()
      }}
    >
      {children}
    </div>
  )
}

/** Whether a node is in a menu or the palette. Menus and the palette are above the drawer, so a click in them is not a click outside. */
function isOverlay(node: Node): boolean {
  return node instanceof Element && node.closest('[popover], dialog') !== null
}
