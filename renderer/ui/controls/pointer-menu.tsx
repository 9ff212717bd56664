/* oxlint-disable jsx-a11y/no-static-element-interactions -- its role is given by its user */
import { type KeyboardEventHandler, type MouseEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import { ErrorBoundary } from '../notices/error-boundary.tsx'
import { type MenuEntry, MenuItems, useMenuKeys } from './menu-items.tsx'
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
  const place = at && { ...at, onClose: () => setAt(null) }
  return {
    node: place && (
      <ErrorBoundary what="This menu" renderNotice={(notice) => <FailedMenu {...place} notice={notice} />}>
        <Drawn draw={draw} place={place} />
      </ErrorBoundary>
    ),
    onContextMenu(event) {
      const target = event.target as HTMLElement
      if (event.defaultPrevented || target.closest('a, input, textarea') || getSelection()?.isCollapsed === false) return
      event.preventDefault()
      // The menu key has no position, so the menu opens at the element.
      const box = target.getBoundingClientRect()
      const isKey = event.clientX === 0 && event.clientY === 0
      const to = isKey ? { x: box.left + 16, y: box.bottom } : { x: event.clientX, y: event.clientY }
      afterRelease(event, () => setAt(to))
    },
  }
}

/**
 * Calls `then` once no button of the pointer is pressed: at once, or after the release. On Linux and macOS, `contextmenu` is fired at the
 * press. If the menu opened then, the browser would close it when the button is released outside of it.
 */
export function afterRelease({ buttons }: Pick<MouseEvent, 'buttons'>, then: () => void): void {
  if (buttons === 0) return then()
  const listening = new AbortController()
  const released = (): void => {
    listening.abort()
    // The browser closes popovers after it has called the listeners.
    setTimeout(then)
  }
  for (const event of ['pointerup', 'pointercancel']) addEventListener(event, released, { capture: true, signal: listening.signal })
}

/** A component of its own, so that an error in what it draws is caught by the boundary around it. */
function Drawn({ draw, place }: { readonly draw: (place: PointerPlace) => ReactNode; readonly place: PointerPlace }): ReactNode {
  return draw(place)
}

/** A menu at the pointer. It is open as long as it is rendered. It has the keys of every menu. */
export function PointerMenu({ label, entries, ...place }: PointerMenuProps): ReactNode {
  const popup = useRef<HTMLDivElement>(null)
  const onKeyDown = useMenuKeys(popup, entries)
  return (
    <PointerPopup {...place} ref={popup} role="menu" label={label} onKeyDown={onKeyDown}>
      <MenuItems entries={entries} onClose={() => popup.current?.hidePopover()} />
    </PointerPopup>
  )
}

interface PointerPopupProps extends PointerPlace {
  readonly ref: RefObject<HTMLDivElement | null>
  readonly role: 'menu' | 'alertdialog'
  readonly label: string
  readonly onKeyDown?: KeyboardEventHandler<HTMLDivElement>
  readonly children: ReactNode
}

/** A popup at the pointer. Its first button gets the focus. */
function PointerPopup({ ref, role, label, x, y, onClose, onKeyDown, children }: PointerPopupProps): ReactNode {
  useLayoutEffect(() => {
    const popup = ref.current
    if (!popup) return
    popup.showPopover()
    const { width, height } = popup.getBoundingClientRect()
    popup.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`
    popup.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`
    popup.querySelector('button')?.focus()
  }, [ref, x, y])
  return (
    <div
      ref={ref}
      popover="auto"
      role={role}
      aria-label={label}
      tabIndex={-1}
      className={classNames(styles.popup, styles.atPointer)}
      onToggle={(event) => event.newState === 'closed' && onClose()}
      onKeyDown={onKeyDown}
    >
      {children}
    </div>
  )
}

/** In place of a menu that cannot be shown. */
function FailedMenu({ notice, ...place }: PointerPlace & { readonly notice: ReactNode }): ReactNode {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <PointerPopup {...place} ref={popup} role="alertdialog" label="This menu cannot be shown">
      {notice}
    </PointerPopup>
  )
}
