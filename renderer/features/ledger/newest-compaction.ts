import type { SessionState } from '../../../shared/session/state.ts'

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
