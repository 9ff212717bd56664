import type { ModelFacts } from '../../../shared/api/settings.ts'
import type { CompactionReceipt } from '../../../shared/session/events.ts'
import type { SessionState } from '../../../shared/session/state.ts'

/** What the next request costs before its answer, in US dollars: when the service has all of it in its cache, and when it has nothing. */
export interface RequestPrice {
  readonly least: number
  readonly most: number
}

const PER = 1_000_000

/** `tokens`: what the request begins with. Null: there is no price to reckon with. */
export function priceOfNext(tokens: number, facts: Pick<ModelFacts, 'price' | 'longPrompt'> | null): RequestPrice | null {
  if (!facts?.price || tokens === 0) return null
  const { longPrompt } = facts
  const { input, cacheRead, cacheWrite } = longPrompt && tokens > longPrompt.above ? longPrompt.price : facts.price
  return { least: (tokens * Math.min(cacheRead, input)) / PER, most: (tokens * Math.max(input, cacheWrite)) / PER }
}

/** What undoing a compaction comes to; `window` in tokens, null: not known. */
export function undoneWords({ tokensBefore }: Pick<CompactionReceipt, 'tokensBefore'>, window: number | null): string {
  return isTooLong(tokensBefore, window)
    ? 'If you undo this, the next request will be too long for this model and will be compacted again. A model with a larger context window can take it.'
    : 'If you undo this, the conversation is compacted again only when the context window is full.'
}

/** Whether a conversation of so many tokens does not fit. */
export function isTooLong(tokens: number, window: number | null): boolean {
  return window !== null && tokens >= window
}

/** From here on the desk says that the context grows full, and here it is compacted: shares of the model's window (DESIGN §4). */
export const WARNS_AT = 0.8
const COMPACTS_AT = 0.92

/** Where the session is compacted next: where a compaction was undone, only when the window is full. */
export function compactsAt({ wholeWanted }: Pick<SessionState, 'wholeWanted'>): number {
  return wholeWanted ? 1 : COMPACTS_AT
}
