/* oxlint-disable jsx-a11y/no-static-element-interactions -- Escape is heard from whatever in it has the focus */
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { classNames } from '../class-names.ts'
import styles from './drawer.module.css'

export interface DrawerProps {
  readonly side: 'left' | 'right'
  /** Below 1080 px a drawer over the work pane; otherwise a pane like the others. */
  readonly floating: boolean
  /** Whether it is out; only asked while it floats. */
  readonly open: boolean
  /** Escape, and a click outside. */
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A side pane that floats over the work pane when there is little room. What it holds stays mounted, so a terminal in it lives on. */
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
    // a window that became narrow has not asked for it: what stood as a column is put away, and whoever types goes on
    if (stood.current) {
      stood.current = false
      close.current()
      return
    }
    const before = document.activeElement
    // opened by its own button or key, so it may take the focus; it gives it back where it was
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

/** Menus and the palette lie above the drawer and are not outside of it. */
function isOverlay(node: Node): boolean {
  return node instanceof Element && node.closest('[popover], dialog') !== null
}
