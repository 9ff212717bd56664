import type { SessionState } from '../../../../shared/session/state.ts'

/** Whether the compaction of an entry at hand was undone later. */
export function isUndone({ items }: Pick<SessionState, 'items'>, id: string): boolean {
  let undone = 0
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    if (item?.kind !== 'notice') continue
    if (item.trouble.code === 'compaction_undone') undone++
    if (item.trouble.code !== 'compacted') continue
    if (item.id === id) return undone > 0
    if (undone > 0) undone--
  }
  return false
}

/** The entry of the newest compaction that is in force, which is the one that can be undone; null for none, or one that is not at hand. */
export function newestCompaction({ items, compactions }: Pick<SessionState, 'items' | 'compactions'>): string | null {
  if (compactions.length === 0) return null
  let undone = 0
  for (const item of items.toReversed()) {
    if (item.kind !== 'notice') continue
    if (item.trouble.code === 'compaction_undone') undone++
    else if (item.trouble.code === 'compacted' && undone-- === 0) return item.id
  }
  return null
}
