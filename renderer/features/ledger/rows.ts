import type { CallItem, Item } from '../../../shared/session/state.ts'

/** A line of the ledger: reads that share a step stand together ("Read 6 files"), everything else for itself. */
export type Row =
  | { readonly kind: 'item'; readonly key: string; readonly item: Item }
  | { readonly kind: 'reads'; readonly key: string; readonly items: readonly CallItem[] }

/**
 * Rows of the entries held, oldest first. The objects of unchanged items are the same objects, so a row can be told from its predecessor.
 * `firstItem` is the place of the first one in the whole ledger; `isHidden` leaves entries out that are shown elsewhere.
 */
export function rowsOf(items: readonly Item[], firstItem: number, isHidden: (item: Item) => boolean = () => false): readonly Row[] {
  const rows: Row[] = []
  let reads: CallItem[] | null = null
  for (const [index, item] of items.entries()) {
    if (isHidden(item)) continue
    if (item.kind !== 'call' || !isRead(item)) {
      reads = null
      rows.push({ kind: 'item', key: item.kind === 'prose' ? proseKey(firstItem + index) : item.id, item })
    } else if (reads?.[0]?.step === item.step) reads.push(item)
    else {
      reads = [item]
      rows.push({ kind: 'reads', key: item.id, items: reads })
    }
  }
  return rows
}

/** Named by its place, an answer keeps its row, and what is drawn in it, when it is done and becomes an entry. */
export const proseKey = (place: number): string => `p${place}`

/** Whether two rows show the same: they need not be the same object. */
export function sameRow(a: Row, b: Row): boolean {
  if (a.kind === 'item') return b.kind === 'item' && a.item === b.item
  return b.kind === 'reads' && a.items.length === b.items.length && a.items.every((item, index) => item === b.items[index])
}

const isRead = (item: CallItem): boolean => item.toolName === 'read_file' && !item.isError && item.effects.length === 0
