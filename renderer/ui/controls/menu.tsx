/* oxlint-disable jsx-a11y/no-static-element-interactions -- handles the arrow key of the button in it */
import { type ReactNode, useId, useRef } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { type MenuEntry, MenuItems, useMenuKeys } from './menu-items.tsx'
import { PointerMenu, type PointerPlace } from './pointer-menu.tsx'
import { Popup } from './popup.tsx'
import styles from './popup.module.css'

export interface MenuProps {
  /** The properties of the `Button` that opens the menu. */
  readonly trigger: ButtonProps
  /** The subject of the menu: "Step 8". */
  readonly label: string
  readonly entries: readonly MenuEntry[]
  readonly align?: 'start' | 'end' | undefined
}

/**
 * A button with a menu. Enter, Space or Down Arrow opens the menu, arrow keys and letters move the focus, and Escape closes the menu and
 * returns the focus.
 */
export function Menu({ trigger, label, entries, align }: MenuProps): ReactNode {
  const id = useId()
  const popup = useRef<HTMLDivElement>(null)
  const onKeyDown = useMenuKeys(popup, entries)
  return (
    <span
      className={styles.anchor}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' || popup.current?.matches(':popover-open') !== false) return
        event.preventDefault()
        ;(event.target as HTMLElement).closest('button')?.click()
      }}
    >
      <Button {...trigger} popup="menu" popoverTarget={id} />
      <Popup
        ref={popup}
        id={id}
        role="menu"
        label={label}
        align={align}
        onOpenChange={(open) => {
          if (open) popup.current?.querySelector('button')?.focus()
        }}
        onKeyDown={onKeyDown}
      >
        {() => <MenuItems entries={entries} onClose={() => popup.current?.hidePopover()} />}
      </Popup>
    </span>
  )
}

/** A menu at the pointer if it is open there, otherwise a button with the menu. */
export function MenuHere({ at, ...props }: MenuProps & { readonly at: PointerPlace | undefined }): ReactNode {
  return at ? <PointerMenu {...at} label={props.label} entries={props.entries} /> : <Menu {...props} />
}
