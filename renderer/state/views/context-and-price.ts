import type { ModelFacts } from '../../../shared/api/settings.ts'
import type { CompactionReceipt } from '../../../shared/session/conversation-move.ts'
import type { SessionState } from '../../../shared/session/state.ts'

/** Price of the next request without its answer in US dollars: fully cached (`least`) and not cached (`most`). */
export interface RequestPrice {
  readonly least: number
  readonly most: number
}

const PER = 1_000_000

/** `tokens`: size of the request. Null when the price is unknown. */
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

/** The effect of undoing a compaction. `window` in tokens; null when unknown. */
export function undoneWords({ tokensBefore }: Pick<CompactionReceipt, 'tokensBefore'>, window: number | null): string {
  return isTooLong(tokensBefore, window)
    ? 'If you undo this, the next request will be too long for this model and will be compacted again. A model with a larger context window can take it.'
    : 'If you undo this, the conversation is compacted again only when the context window is full.'
}

/** Whether a conversation does not fit into the context window. */
export function isTooLong(tokens: number, window: number | null): boolean {
  return window !== null && tokens >= window
}

/** Shares of the context window: from `WARNS_AT` on the desk warns, at `COMPACTS_AT` the session is compacted. */
export const WARNS_AT = 0.8
const COMPACTS_AT = 0.92

/** When the session is compacted next. After an undone compaction, only when the window is full. */
export function compactsAt({ wholeWanted }: Pick<SessionState, 'wholeWanted'>): number {
  return wholeWanted ? 1 : COMPACTS_AT
}
