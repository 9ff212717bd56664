import type { CallItem, Item } from '../../../shared/session/state.ts'
import { readFileSpec } from '../../../shared/tools/built-in/read-file.ts'
import { sameMembers } from '../../state/same-members.ts'

/** A line of the ledger. File reads of one step share a line ("Read 6 files"). */
export type Row =
  | (RowBase & { readonly kind: 'item'; readonly item: Item })
  | (RowBase & { readonly kind: 'reads'; readonly items: readonly CallItem[] })

interface RowBase {
  readonly key: string
  readonly place: number
  /** Whether the conversation went back to a point before this row. */
  readonly isOutside: boolean
}

/**
 * A chunk of rows. Chunk borders depend only on the positions of rows in the complete ledger, so that loading older rows does not shift
 * them.
 */
export interface Chunk {
  readonly key: string
  readonly rows: readonly Row[]
  /** Key of the answer that is being written after the last row. Null if there is none. */
  readonly writing: string | null
}

/**
 * Number of entries per chunk, about two screens. After a change, only the rows of the changed chunk are rendered and laid out. The rows of
 * the other chunks are only compared.
 */
const CHUNK_SIZE = 32

/**
 * Rows of the loaded entries, oldest first. Unchanged items keep their identity. `firstItem` is the index of the first loaded entry in
 * the complete ledger. `isHidden` is true for entries that are shown elsewhere. `isOutside` is true for entries that are no longer part
 * of the conversation.
 */
export function rowsOf(
  items: readonly Item[],
  firstItem: number,
  isHidden: (item: Item) => boolean = () => false,
  isOutside: (item: Item) => boolean = () => false,
): readonly Row[] {
  const rows: Row[] = []
  let reads: CallItem[] | null = null
  for (const [index, item] of items.entries()) {
    if (isHidden(item)) continue
    const place = firstItem + index
    if (item.kind !== 'call' || !isRead(item)) {
      reads = null
      rows.push({ kind: 'item', key: item.kind === 'prose' ? proseKey(place) : item.id, place, item, isOutside: isOutside(item) })
    } else if (reads?.[0]?.step === item.step) reads.push(item)
    else {
      reads = [item]
      rows.push({ kind: 'reads', key: item.id, place, items: reads, isOutside: isOutside(item) })
    }
  }
  return rows
}

/** Groups the rows into chunks. `end` is the position after the newest entry, where an answer is written. */
export function chunksOf(rows: readonly Row[], end: number): readonly Chunk[] {
  const numberOf = (place: number): number => Math.floor(place / CHUNK_SIZE)
  const byNumber = Map.groupBy(rows, ({ place }) => numberOf(place))
  const last = numberOf(end)
  if (!byNumber.has(last)) byNumber.set(last, [])
  return [...byNumber].map(([number, held]) => ({ key: `s${number}`, rows: held, writing: number === last ? proseKey(end) : null }))
}

/** Whether two chunks look the same. */
export function sameChunk(a: Chunk, b: Chunk): boolean {
  return a.writing === b.writing && a.rows.length === b.rows.length && a.rows.every((row, index) => isSame(row, b.rows[index]))
}

const isSame = (a: Row, b: Row | undefined): boolean => b !== undefined && a.key === b.key && sameRow(a, b)

/** An answer's key is its position, so that the row stays mounted when the finished answer becomes an entry. */
export const proseKey = (place: number): string => `p${place}`

/** Whether two rows look the same, even if they are different objects. */
export function sameRow(a: Row, b: Row): boolean {
  if (a.isOutside !== b.isOutside) return false
  if (a.kind === 'item') return b.kind === 'item' && a.item === b.item
  return b.kind === 'reads' && sameMembers(a.items, b.items)
}

const isRead = (item: CallItem): boolean => item.toolName === readFileSpec.name && !item.isError && item.effects.length === 0
