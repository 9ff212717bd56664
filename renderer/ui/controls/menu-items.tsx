import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
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

/** The entries that can have the focus, in order. Disabled entries are included, so that the reason can be read. */
export function menuItems(entries: readonly MenuEntry[]): readonly MenuItem[] {
  return entries.filter((entry) => entry.kind === 'item')
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
