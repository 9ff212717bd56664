import type { ProviderEvent } from '../../agent/ports/provider.ts'

/**
 * Adds an event, joined with the one before it where both are pieces of one thing: whoever watches is called once a piece of the body, not
 * once a word. The beginning of a call (0 characters) stays, so that joining joined pieces again gives the same.
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
