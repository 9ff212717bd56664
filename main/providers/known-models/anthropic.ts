import type { Effort } from '../../../shared/session/effort.ts'
import type { Model, Reasoning } from '../model.ts'
import { priceOf, type Prices, withHour } from './prices.ts'

const ALWAYS: Reasoning = { kind: 'adaptive', unasked: true }
const WHEN_ASKED: Reasoning = { kind: 'adaptive', unasked: false }
const BUDGET: Reasoning = { kind: 'budget' }

/** The values of `output_config.effort` in the SDK; models before 4.7 do not know `xhigh`. */
const ALL: readonly Effort[] = ['none', 'low', 'medium', 'high', 'xhigh', 'max']
const BEFORE_XHIGH: readonly Effort[] = ['none', 'low', 'medium', 'high', 'max']
/** Each is a number of tokens. */
const AS_BUDGET: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/**
 * Names: the type `Model` of @anthropic-ai/sdk 1.11. Input, output, window, limit and knowledge of Opus 5.5 and 5, Sonnet 5.5 and 5, Haiku 5.5
 * and 4.5 and Fable 5.1: Anthropic's pages on its models, 21 November 2026. Prices of the cache: the same pages for Opus 5.5 and Opus 5; for
 * the others, and for Haiku 5.5's long prompts, lists of others that quote Anthropic's. Fable 5.2: a reseller that says it charges Anthropic's
 * own prices; its limit is taken to be that of Fable 5.1. Opus 4.8 and Sonnet 4.6: lists of others; their limits are taken to be those of
 * their successors. Price null: not found at a source; window and limit are then taken to be those of the family's nearest.
 */
export const ANTHROPIC_MODELS: readonly Model[] = [
  claude('claude-opus-5-5', 'Claude Opus 5.5', ALWAYS, 'June 2026', [4, 20, 0.2, 5]),
  claude('claude-sonnet-5-5', 'Claude Sonnet 5.5', ALWAYS, 'June 2026', [2, 10, 0.1, 2.5]),
  {
    ...claude('claude-haiku-5-5', 'Claude Haiku 5.5', ALWAYS, 'June 2026', [0.1, 0.5, 0.01, 0.125]),
    longPrompt: { above: 100_000, price: withHour(priceOf([0.5, 2.5, 0.05, 0.625])) },
  },
  claude('claude-fable-5-2', 'Claude Fable 5.2', ALWAYS, null, [8, 40, 0.2, 10]),
  claude('claude-fable-5-1', 'Claude Fable 5.1', ALWAYS, 'June 2026', [10, 50, 0.25, 12.5]),
  claude('claude-fable-5', 'Claude Fable 5', ALWAYS, null, null),
  claude('claude-opus-5', 'Claude Opus 5', ALWAYS, 'May 2026', [5, 25, 0.5, 6.25]),
  claude('claude-sonnet-5', 'Claude Sonnet 5', ALWAYS, 'January 2026', [2, 10, 0.2, 2.5]),
  claude('claude-opus-4-8', 'Claude Opus 4.8', WHEN_ASKED, null, [5, 25, 0.5, 6.25]),
  claude('claude-opus-4-7', 'Claude Opus 4.7', WHEN_ASKED, null, null),
  { ...claude('claude-opus-4-6', 'Claude Opus 4.6', WHEN_ASKED, null, null), efforts: BEFORE_XHIGH },
  { ...claude('claude-sonnet-4-6', 'Claude Sonnet 4.6', WHEN_ASKED, null, [3, 15, 0.3, 3.75]), efforts: BEFORE_XHIGH },
  small(claude('claude-haiku-4-5', 'Claude Haiku 4.5', BUDGET, 'February 2025', [1, 5, 0.1, 1.25])),
  small(claude('claude-opus-4-5', 'Claude Opus 4.5', BUDGET, null, null)),
  small(claude('claude-sonnet-4-5', 'Claude Sonnet 4.5', BUDGET, null, null)),
]

function claude(model: string, label: string, reasoning: Reasoning, knowledge: string | null, prices: Prices | null): Model {
  return {
    ...{ provider: 'anthropic', model, label, pictures: true, contextWindow: 1_000_000, maxOutput: 128_000, reasoning, knowledge },
    efforts: ALL,
    price: prices && withHour(priceOf(prices)),
  }
}

function small(model: Model): Model {
  return { ...model, contextWindow: 200_000, maxOutput: 64_000, efforts: AS_BUDGET }
}
