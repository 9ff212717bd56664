import type { Item, SessionState } from '../../../shared/session/state.ts'

/**
 * The results for a list of entries. Every message of a ledger needs one after each event, and one pass over the entries serves all of
 * them.
 */
const known = new WeakMap<readonly Item[], ReadonlyMap<string, number | null>>()

/** Number of the newest step before a message. 0 if there is none. Null if it is not among the loaded entries. */
export function stepBefore({ items, firstItem }: Pick<SessionState, 'items' | 'firstItem'>, { id }: Pick<Item, 'id'>): number | null {
  let steps = known.get(items)
  if (!steps) known.set(items, (steps = stepsBeforeMessages(items)))
  return steps.get(id) ?? (firstItem === 0 ? 0 : null)
}

function stepsBeforeMessages(items: readonly Item[]): ReadonlyMap<string, number | null> {
  const steps = new Map<string, number | null>()
  let step: number | null = null
  for (const item of items) {
    if (item.kind === 'call') ({ step } = item)
    else if (item.kind === 'user') steps.set(item.id, step)
  }
  return steps
}
