import type { CallItem, Item } from '../../../shared/session/state.ts'
import { readFileSpec } from '../../../shared/tools/read-file.ts'

/** A line of the ledger: reads that share a step stand together ("Read 6 files"), everything else for itself. */
export type Row =
  | { readonly kind: 'item'; readonly key: string; readonly place: number; readonly item: Item }
  | { readonly kind: 'reads'; readonly key: string; readonly place: number; readonly items: readonly CallItem[] }

/** Rows that stand together in the whole ledger. Which ones do is a matter of their places alone: nothing that comes before or after shifts them. */
export interface Sheet {
  readonly key: string
  readonly rows: readonly Row[]
  /** Key of the answer that is being written behind the last row. */
  readonly writing: string | null
}

/** Entries of a sheet: what changes costs a look at the others of its sheet, and one at each sheet. */
const SHEET = 64

/**
 * Rows of the entries held, oldest first. The objects of unchanged items are the same objects, so a row can be told from its predecessor.
 * `firstItem` is the place of the first one in the whole ledger; `isHidden` leaves entries out that are shown elsewhere.
 */
export function rowsOf(items: readonly Item[], firstItem: number, isHidden: (item: Item) => boolean = () => false): readonly Row[] {
  const rows: Row[] = []
  let reads: CallItem[] | null = null
  for (const [index, item] of items.entries()) {
    if (isHidden(item)) continue
    const place = firstItem + index
    if (item.kind !== 'call' || !isRead(item)) {
      reads = null
      rows.push({ kind: 'item', key: item.kind === 'prose' ? proseKey(place) : item.id, place, item })
    } else if (reads?.[0]?.step === item.step) reads.push(item)
    else {
      reads = [item]
      rows.push({ kind: 'reads', key: item.id, place, items: reads })
    }
  }
  return rows
}

/** The rows sheet by sheet; `end` is the place behind the newest entry, where an answer is written. */
export function sheetsOf(rows: readonly Row[], end: number): readonly Sheet[] {
  const numberOf = (place: number): number => Math.floor(place / SHEET)
  const byNumber = Map.groupBy(rows, ({ place }) => numberOf(place))
  const last = numberOf(end)
  if (!byNumber.has(last)) byNumber.set(last, [])
  return [...byNumber].map(([number, held]) => ({ key: `s${number}`, rows: held, writing: number === last ? proseKey(end) : null }))
}

/** Whether two sheets show the same. */
export function sameSheet(a: Sheet, b: Sheet): boolean {
  return a.writing === b.writing && a.rows.length === b.rows.length && a.rows.every((row, index) => isSame(row, b.rows[index]))
}

const isSame = (a: Row, b: Row | undefined): boolean => b !== undefined && a.key === b.key && sameRow(a, b)

/** Named by its place, an answer keeps its row, and what is drawn in it, when it is done and becomes an entry. */
export const proseKey = (place: number): string => `p${place}`

/** Whether two rows show the same: they need not be the same object. */
export function sameRow(a: Row, b: Row): boolean {
  if (a.kind === 'item') return b.kind === 'item' && a.item === b.item
  return b.kind === 'reads' && a.items.length === b.items.length && a.items.every((item, index) => item === b.items[index])
}

const isRead = (item: CallItem): boolean => item.toolName === readFileSpec.name && !item.isError && item.effects.length === 0
