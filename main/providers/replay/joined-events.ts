import type { ProviderEvent } from '../../agent/ports/provider.ts'
import { addJoined } from '../answer/join-events.ts'

/** An event as it is shown; the end without the answer that it carries. */
export type Shown = Exclude<ProviderEvent, { kind: 'finish' | 'failure' }> | { readonly kind: 'finish' | 'failure' }

/** What came one after the other as one, so that it does not matter how the bytes were cut. */
export function joinedEvents(events: readonly ProviderEvent[]): readonly Shown[] {
  const joined: ProviderEvent[] = []
  for (const event of events) addJoined(joined, event)
  return joined.map((event) => (event.kind === 'finish' || event.kind === 'failure' ? { kind: event.kind } : event))
}
