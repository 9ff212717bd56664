import { type KeyboardEvent, type MouseEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { indexAfterKey, vertical } from '../arrow-keys.ts'
import { classNames } from '../class-names.ts'
import { type MenuEntry, menuItems, MenuItems } from './menu-items.tsx'
import styles from './popup.module.css'

/** Where a menu is open at the pointer. */
export interface PointerPlace {
  /** Position of the pointer in the window, in pixels. */
  readonly x: number
  readonly y: number
  readonly onClose: () => void
}

export interface PointerMenuProps extends PointerPlace {
  readonly label: string
  readonly entries: readonly MenuEntry[]
}

interface ContextMenu {
  /** The open menu. Null while it is closed. */
  readonly node: ReactNode
  readonly onContextMenu: ((event: MouseEvent<HTMLElement>) => void) | undefined
}

/**
 * A menu for the secondary pointer button and the menu key. `draw` renders it, and is called only while it is open. Selected text, links
 * and fields keep the browser's own menu.
 */
export function useContextMenu(draw: ((place: PointerPlace) => ReactNode) | undefined): ContextMenu {
  const [at, setAt] = useState<Pick<PointerPlace, 'x' | 'y'> | null>(null)
  if (!draw) return { node: null, onContextMenu: undefined }
  return {
    node: at && draw({ ...at, onClose: () => setAt(null) }),
    onContextMenu(event) {
      const target = event.target as HTMLElement
      if (event.defaultPrevented || target.closest('a, input, textarea') || getSelection()?.isCollapsed === false) return
      event.preventDefault()
      // The menu key has no position, so the menu opens at the element.
      const box = target.getBoundingClientRect()
      const isKey = event.clientX === 0 && event.clientY === 0
      setAt(isKey ? { x: box.left + 16, y: box.bottom } : { x: event.clientX, y: event.clientY })
    },
  }
}

/** A menu at the pointer. It is open as long as it is rendered. Arrows move, Enter chooses, Escape and a click elsewhere close it. */
export function PointerMenu({ label, x, y, entries, onClose }: PointerMenuProps): ReactNode {
  const popup = useRef<HTMLDivElement>(null)
  const buttons = (): readonly HTMLElement[] => [...(popup.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  useLayoutEffect(() => {
    const menu = popup.current
    if (!menu) return
    menu.showPopover()
    const { width, height } = menu.getBoundingClientRect()
    menu.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`
    menu.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`
    menu.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }, [x, y])
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = indexAfterKey(event.key, vertical, buttons().indexOf(document.activeElement as HTMLElement), menuItems(entries).length)
    if (to === null) return
    event.preventDefault()
    buttons()[to]?.focus()
  }
  return (
    <div
      ref={popup}
      popover="auto"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      className={classNames(styles.popup, styles.atPointer)}
      onToggle={(event) => event.newState === 'closed' && onClose()}
      onKeyDown={onKeyDown}
    >
      <MenuItems entries={entries} onClose={() => popup.current?.hidePopover()} />
    </div>
  )
}
