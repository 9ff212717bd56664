import type { ModelFacts } from '../../../shared/api/settings.ts'
import type { CompactionReceipt } from '../../../shared/session/conversation-move.ts'
import type { SessionState } from '../../../shared/session/state.ts'

/** Price in US dollars of the next request without its answer: fully cached (`least`) and not cached (`most`). */
export interface RequestPrice {
  readonly least: number
  readonly most: number
}

const PER = 1_000_000

/** Returns the price of a request with this many tokens. Null if the price is unknown or `tokens` is 0. */
export function priceOfNext(tokens: number, facts: Pick<ModelFacts, 'price' | 'longPrompt'> | null): RequestPrice | null {
  if (!facts?.price || tokens === 0) return null
  const { longPrompt } = facts
  const { input, cacheRead, cacheWrite } = longPrompt && tokens > longPrompt.above ? longPrompt.price : facts.price
  return { least: (tokens * Math.min(cacheRead, input)) / PER, most: (tokens * Math.max(input, cacheWrite)) / PER }
}

/** A note for prices that depend on assumed cache prices. Empty if the cache prices have a source. */
export function assumedCacheWords(facts: Pick<ModelFacts, 'label' | 'price'> | null): string {
  return facts?.price?.assumedCache ? ` The cache prices of ${facts.label} are assumed.` : ''
}

/** Describes the effect of undoing a compaction. `window` is in tokens. Null if it is unknown. */
export function undoneWords({ tokensBefore }: Pick<CompactionReceipt, 'tokensBefore'>, window: number | null): string {
  return isTooLong(tokensBefore, window)
    ? 'If you undo this, the next request will be too long for this model and will be compacted again. A model with a larger context window can accept it.'
    : 'If you undo this, the conversation is compacted again only when the context window is full.'
}

/** Whether a conversation does not fit into the context window. */
export function isTooLong(tokens: number, window: number | null): boolean {
  return window !== null && tokens >= window
}

/** Shares of the context window: the desk warns from `WARNS_AT` on, and the session is compacted at `COMPACTS_AT`. */
export const WARNS_AT = 0.8
const COMPACTS_AT = 0.92

/** The share of the context window at which the session is compacted next. After an undone compaction, this is the full window. */
export function compactsAt({ wholeWanted }: Pick<SessionState, 'wholeWanted'>): number {
  return wholeWanted ? 1 : COMPACTS_AT
}
