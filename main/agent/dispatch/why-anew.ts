import type { Effect } from '../../../shared/session/effects.ts'
import type { CallItem } from '../../../shared/session/state.ts'

/** Why a step is asked for again, in words, when a request for it stood that is no longer what would be done; null: none did. */
export function whyAnew(item: CallItem | null, effects: readonly Effect[]): string | null {
  if (!item?.approval || (item.status !== 'waiting' && item.status !== 'signed')) return null
  const before = placeOf(item.effects)
  const now = placeOf(effects)
  const moved = before !== null && now !== null && before !== now
  const change = moved ? `it would run in ${now} by now, not in ${before}` : 'what it would do has changed since'
  return item.status === 'signed' ? `Signed before, but ${change}.` : `Asked anew: ${change}.`
}

function placeOf(effects: readonly Effect[]): string | null {
  return effects.find((effect) => effect.kind === 'command')?.cwd ?? null
}
