import type { LucideIcon } from 'lucide-react'
import type { KeyboardEvent, KeyboardEventHandler, ReactNode, RefObject } from 'react'
import { indexAfterKey, vertical } from '../arrow-keys.ts'
import { useTypeAhead } from '../hooks/use-type-ahead.ts'
import { Icon } from '../marks/icon.tsx'
import { Kbd } from '../marks/kbd.tsx'
import styles from './popup.module.css'

export type MenuEntry =
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

export type MenuItem = Extract<MenuEntry, { readonly kind: 'item' }>

/**
 * The keys of an open menu. Arrow keys, Home, End and letters move the focus, and Tab closes the menu. Disabled items get the focus too, so
 * that the reason can be read.
 */
export function useMenuKeys(popup: RefObject<HTMLElement | null>, entries: readonly MenuEntry[]): KeyboardEventHandler {
  const items = entries.filter((entry) => entry.kind === 'item')
  const typeAhead = useTypeAhead(items.map((item) => item.label))
  return (event: KeyboardEvent) => {
    const buttons = [...(popup.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const current = buttons.findIndex((button) => button === document.activeElement)
    const to = indexAfterKey(event.key, vertical, current, items.length) ?? typeAhead(event.nativeEvent, current)
    if (event.key === 'Tab') popup.current?.hidePopover()
    if (to === null) return
    event.preventDefault()
    buttons[to]?.focus()
  }
}

interface MenuItemsProps {
  readonly entries: readonly MenuEntry[]
  /** Closes the menu. Called before the chosen action runs. */
  readonly onClose: () => void
}

/** The rows of an open menu. */
export function MenuItems({ entries, onClose }: MenuItemsProps): ReactNode {
  return entries.map((entry) =>
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
          onClose()
          entry.onSelect()
        }}
      >
        {entry.icon !== undefined && <Icon glyph={entry.icon} />}
        <span className={styles.words}>{entry.label}</span>
        {disabledBecause(entry) !== null && <span className="meta"> {disabledBecause(entry)}</span>}
        {entry.keys !== undefined && <Kbd keys={entry.keys} />}
      </button>
    ),
  )
}

/** Why an item cannot be chosen. Null if it can. */
function disabledBecause(item: MenuItem): string | null {
  return item.disabledReason ?? null
}
