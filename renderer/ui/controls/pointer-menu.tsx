import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { indexAfterKey, vertical } from '../arrow-keys.ts'
import { Kbd } from '../marks/kbd.tsx'
import { classNames } from '../class-names.ts'
import styles from './popup.module.css'

export interface PointerMenuProps {
  readonly label: string
  /** Position of the pointer in the window, in pixels. */
  readonly x: number
  readonly y: number
  readonly entries: readonly { readonly id: string; readonly label: string; readonly keys: string | null; readonly onSelect: () => void }[]
  readonly onClose: () => void
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
    const to = indexAfterKey(event.key, vertical, buttons().indexOf(document.activeElement as HTMLElement), entries.length)
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
      {entries.map(({ id, label: words, keys, onSelect }) => (
        <button
          key={id}
          type="button"
          role="menuitem"
          className={styles.item}
          tabIndex={-1}
          onClick={() => {
            popup.current?.hidePopover()
            onSelect()
          }}
        >
          <span className={styles.words}>{words}</span>
          {keys !== null && <Kbd keys={keys} />}
        </button>
      ))}
    </div>
  )
}
