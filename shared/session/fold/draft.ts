import type { ToolCallId } from '../../lib/ids.ts'
import type { Item, SessionState } from '../state.ts'

/** While a batch is folded, the state is a private draft: the item list is copied once, however many events there are. */
export type Draft = { -readonly [K in keyof SessionState]: SessionState[K] } & { items: Item[] }

/** From the end, because what changes is almost always new. */
export function findCall(items: readonly Item[], toolCallId: ToolCallId): number {
  return items.findLastIndex((item) => item.kind === 'call' && item.toolCallId === toolCallId)
}
