import type { ModelFacts } from '../../../shared/api/settings.ts'

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
