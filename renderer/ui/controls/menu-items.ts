import type { LucideIcon } from 'lucide-react'

export type MenuEntry =
  | {
      readonly kind: 'item'
      readonly id: string
      readonly label: string
      readonly icon?: LucideIcon | undefined
      /** A key that does the same: `U`. */
      readonly keys?: string | undefined
      /** Cannot be chosen now, and why: "nothing undone". It stays in the list. */
      readonly disabledReason?: string | null | undefined
      readonly onSelect: () => void
    }
  | { readonly kind: 'rule'; readonly id: string }

export type MenuItem = Extract<MenuEntry, { readonly kind: 'item' }>

/** The entries that can have the focus, in order; those that cannot be chosen have it too, so that their reason is read. */
export function menuItems(entries: readonly MenuEntry[]): readonly MenuItem[] {
  return entries.filter((entry) => entry.kind === 'item')
}

/** Why an item cannot be chosen, or null. */
export function barredBy(item: MenuItem): string | null {
  return item.disabledReason ?? null
}
