import type { ProviderEvent } from '../../agent/ports/provider.ts'

/**
 * Adds an event. If the new event and the last one are pieces of the same block, merges them, so that listeners are called once per chunk
 * of the body instead of once per word. The event that starts a call is never merged.
 */
export function addJoined(events: ProviderEvent[], event: ProviderEvent): void {
  const joined = joinedWith(events.at(-1), event)
  if (joined) events[events.length - 1] = joined
  else events.push(event)
}

function joinedWith(before: ProviderEvent | undefined, event: ProviderEvent): ProviderEvent | null {
  if (!before) return null
  if (event.kind === 'text' || event.kind === 'thinking')
    return before.kind === event.kind ? { kind: event.kind, text: before.text + event.text } : null
  if (event.kind !== 'call' || before.kind !== 'call') return null
  return before.toolName === event.toolName && before.chars > 0 && event.chars > 0 ? event : null
}
