import type { CallItem, SessionState } from '../../../shared/session/state.ts'

/**
 * The requests that were waiting at one time: those that still do and those answered since the oldest of them was asked. Their order is
 * that of the ledger, so the number of each stays while the others are answered.
 */
export function askedTogether(items: SessionState['items'], pending: readonly CallItem[]): readonly CallItem[] {
  const since = Math.min(...pending.map((call) => call.approval?.requestedAt ?? call.at))
  const together: CallItem[] = []
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    // words end a round: what was asked before them was answered before
    if (item?.kind !== 'call' || (item.endedAt !== null && item.endedAt < since)) break
    if (pending.includes(item) || wasAnsweredSince(item, since)) together.unshift(item)
  }
  return together
}

function wasAnsweredSince({ approval }: CallItem, since: number): boolean {
  const kind = approval?.answer?.kind ?? 'withdrawn'
  return kind !== 'withdrawn' && (approval?.answeredAt ?? 0) >= since
}
