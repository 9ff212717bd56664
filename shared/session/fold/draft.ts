import type { ToolCallId } from '../../lib/ids.ts'
import type { Item, SessionState } from '../state.ts'

/** While a batch is folded the state is a draft of our own: the item list is copied once, whatever the number of events. */
export type Draft = { -readonly [K in keyof SessionState]: SessionState[K] } & { items: Item[] }

/** From the end, since what changes is nearly always among the newest. */
export function findCall(items: readonly Item[], toolCallId: ToolCallId): number {
  return items.findLastIndex((item) => item.kind === 'call' && item.toolCallId === toolCallId)
}
