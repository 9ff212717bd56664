/* oxlint-disable jsx-a11y/no-static-element-interactions -- handles the arrow key of the button in it */
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { indexAfterKey, vertical } from '../arrow-keys.ts'
import { useTypeAhead } from '../hooks/use-type-ahead.ts'
import { Icon } from '../marks/icon.tsx'
import { Kbd } from '../marks/kbd.tsx'
import { Button, type ButtonProps } from './button.tsx'
import { Popup } from './popup.tsx'
import styles from './popup.module.css'
import type { LucideIcon } from 'lucide-react'

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
  const items = menuItems(entries)
  const typeAhead = useTypeAhead(items.map((item) => item.label))

  const buttons = (): readonly HTMLElement[] => [...(popup.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  const focusAt = (index: number): void => buttons()[index]?.focus()

  const onKeyDown = (event: KeyboardEvent): void => {
    const current = buttons().indexOf(document.activeElement as HTMLElement)
    const to = indexAfterKey(event.key, vertical, current, items.length) ?? typeAhead(event.nativeEvent, current)
    if (event.key === 'Tab') popup.current?.hidePopover()
    if (to === null) return
    event.preventDefault()
    focusAt(to)
  }

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
          if (open) focusAt(0)
        }}
        onKeyDown={onKeyDown}
      >
        {() =>
          entries.map((entry) =>
            entry.kind === 'rule' ? (
              <hr key={entry.id} className={styles.rule} />
            ) : (
              <button
                key={entry.id}
                type="button"
                role="menuitem"
                className={styles.item}
                tabIndex={-1}
                aria-disabled={disabledBecause(entry) !== null || undefined}
                onPointerMove={(event) => event.currentTarget.focus()}
                onClick={() => {
                  if (disabledBecause(entry) !== null) return
                  popup.current?.hidePopover()
                  entry.onSelect()
                }}
              >
                {entry.icon !== undefined && <Icon glyph={entry.icon} />}
                <span className={styles.words}>{entry.label}</span>
                {disabledBecause(entry) !== null && <span className="meta">{disabledBecause(entry)}</span>}
                {entry.keys !== undefined && <Kbd keys={entry.keys} />}
              </button>
            ),
          )
        }
      </Popup>
    </span>
  )
}

type MenuEntry =
  | {
      readonly kind: 'item'
      readonly id: string
      readonly label: string
      readonly icon?: LucideIcon | undefined
      /** A key that runs the same action: `U`. */
      readonly keys?: string | undefined
      /** Why the item cannot be chosen now: "nothing undone". It is shown in the list nevertheless. */
      readonly disabledReason?: string | null | undefined
      readonly onSelect: () => void
    }
  | { readonly kind: 'rule'; readonly id: string }

type MenuItem = Extract<MenuEntry, { readonly kind: 'item' }>

/** The entries that can have the focus, in order. Disabled entries are included, so that the reason can be read. */
function menuItems(entries: readonly MenuEntry[]): readonly MenuItem[] {
  return entries.filter((entry) => entry.kind === 'item')
}

/** Why an item cannot be chosen. Null if it can. */
function disabledBecause(item: MenuItem): string | null {
  return item.disabledReason ?? null
}
