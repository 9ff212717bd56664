import type { ModelFacts } from '../../shared/api/settings.ts'
import type { ProviderId } from '../../shared/session/content.ts'

type Price = NonNullable<ModelFacts['price']>

/**
 * How a model is told to reason. `adaptive`: it decides itself, more or less by effort, and does so unasked where `unasked` is true.
 * `budget`: a number of tokens. Sent the wrong way a request is refused.
 */
export type Reasoning = { readonly kind: 'adaptive'; readonly unasked: boolean } | { readonly kind: 'budget' }

/** All that is known of a model (L-07). Advisory: a name that is not here is sent as it is. */
export interface Model extends ModelFacts {
  readonly provider: ProviderId
  /** Tokens of one answer at most. */
  readonly maxOutput: number
  readonly reasoning: Reasoning
  /** Until when the model knows the world, as its vendor says; null: it does not say. */
  readonly knowledge: string | null
  /** Prompts of more tokens than `above`, the cached ones included, are billed throughout at this price. */
  readonly longPrompt?: { readonly above: number; readonly price: Price }
}

const ALWAYS: Reasoning = { kind: 'adaptive', unasked: true }
const WHEN_ASKED: Reasoning = { kind: 'adaptive', unasked: false }
const BUDGET: Reasoning = { kind: 'budget' }

/** Windows, limits and prices (US dollars per million tokens) as published by the vendor, 21 November 2026. */
export const CATALOGUE: readonly Model[] = [
  claude('claude-opus-5-5', 'Claude Opus 5.5', ALWAYS, 'June 2026', [4, 20, 0.2, 5]),
  claude('claude-sonnet-5-5', 'Claude Sonnet 5.5', ALWAYS, 'June 2026', [2, 10, 0.1, 2.5]),
  {
    ...claude('claude-haiku-5-5', 'Claude Haiku 5.5', ALWAYS, 'June 2026', [0.1, 0.5, 0.01, 0.125]),
    longPrompt: { above: 100_000, price: { input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 } },
  },
  claude('claude-fable-5-2', 'Claude Fable 5.2', ALWAYS, null, [8, 40, 0.2, 10]),
  claude('claude-fable-5-1', 'Claude Fable 5.1', ALWAYS, 'June 2026', [10, 50, 0.25, 12.5]),
  claude('claude-opus-5', 'Claude Opus 5', ALWAYS, 'May 2026', [5, 25, 0.5, 6.25]),
  claude('claude-sonnet-5', 'Claude Sonnet 5', ALWAYS, 'January 2026', [2, 10, 0.2, 2.5]),
  claude('claude-opus-4-8', 'Claude Opus 4.8', WHEN_ASKED, null, [5, 25, 0.5, 6.25]),
  claude('claude-sonnet-4-6', 'Claude Sonnet 4.6', WHEN_ASKED, null, [3, 15, 0.3, 3.75]),
  {
    ...claude('claude-haiku-4-5', 'Claude Haiku 4.5', BUDGET, 'February 2025', [1, 5, 0.1, 1.25]),
    contextWindow: 200_000,
    maxOutput: 64_000,
  },
  {
    provider: 'rehearsal',
    model: 'rehearsal',
    label: 'Rehearsal (scripted, no model)',
    contextWindow: 200_000,
    maxOutput: 8_192,
    reasoning: BUDGET,
    knowledge: null,
    price: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  },
]

type Prices = readonly [input: number, output: number, cacheRead: number, cacheWrite: number]

function claude(model: string, label: string, reasoning: Reasoning, knowledge: string | null, prices: Prices): Model {
  const [input, output, cacheRead, cacheWrite] = prices
  const price = { input, output, cacheRead, cacheWrite }
  return { provider: 'anthropic', model, label, contextWindow: 1_000_000, maxOutput: 128_000, reasoning, knowledge, price }
}
