import type { Effort } from '../../../../shared/session/settings/model-facts.ts'
import type { Model, Reasoning } from '../catalogue-model.ts'
import { priceOf, type Prices, type Rests, withHour } from './prices.ts'

const ALWAYS: Reasoning = { kind: 'adaptive', unasked: true }
const WHEN_ASKED: Reasoning = { kind: 'adaptive', unasked: false }
const BUDGET: Reasoning = { kind: 'budget' }

/** The values of `output_config.effort` in the SDK. Models before 4.7 have no `xhigh`. */
const ALL: readonly Effort[] = ['none', 'low', 'medium', 'high', 'xhigh', 'max']
const BEFORE_XHIGH: readonly Effort[] = ['none', 'low', 'medium', 'high', 'max']
/** The effort levels of models that refuse `none`. Sonnet 5.5 has a different value for no reasoning, which we do not send. */
const CANNOT_STOP: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max']
/** Each level is sent as a number of tokens. */
const AS_BUDGET: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

const READ: Rests = { price: 'vendor page', window: 'vendor page', efforts: 'vendor page' }

/**
 * Names: the type `Model` of @anthropic-ai/sdk 1.11. Prices: the table on platform.claude.com/docs, about-claude/pricing, and the pages
 * models/…/overview. The prices of Sonnet 5.5's cheaper cache (since 7 October 2026) and of Haiku 5.5's long prompts come from other
 * price tables. The price of Fable 5.2 comes from resellers that quote Anthropic's list of 9 November 2026. For all models, a cache write
 * that is kept for an hour costs twice the input price.
 */
export const ANTHROPIC_MODELS: readonly Model[] = [
  { ...claude('claude-opus-5-5', 'Claude Opus 5.5', ALWAYS, 'June 2026', [4, 20, 0.2, 5]), efforts: CANNOT_STOP },
  {
    ...claude('claude-sonnet-5-5', 'Claude Sonnet 5.5', ALWAYS, 'June 2026', [2, 10, 0.1, 2.5]),
    efforts: CANNOT_STOP,
    rests: { ...READ, price: 'public page', efforts: 'public page' },
  },
  {
    ...claude('claude-haiku-5-5', 'Claude Haiku 5.5', ALWAYS, 'June 2026', [0.1, 0.5, 0.01, 0.125]),
    longPrompt: { above: 100_000, price: withHour(priceOf([0.5, 2.5, 0.05, 0.625])) },
    rests: { ...READ, price: 'public page', efforts: 'public page' },
  },
  {
    ...claude('claude-fable-5-2', 'Claude Fable 5.2', ALWAYS, null, [8, 40, 0.2, 10]),
    efforts: CANNOT_STOP,
    rests: { price: 'public page', window: 'public page', efforts: 'public page' },
  },
  { ...claude('claude-fable-5-1', 'Claude Fable 5.1', ALWAYS, 'June 2026', [10, 50, 0.25, 12.5]), efforts: CANNOT_STOP },
  { ...claude('claude-fable-5', 'Claude Fable 5', ALWAYS, 'January 2026', [10, 50, 1, 12.5]), efforts: CANNOT_STOP },
  claude('claude-opus-5', 'Claude Opus 5', ALWAYS, 'May 2026', [5, 25, 0.5, 6.25]),
  claude('claude-sonnet-5', 'Claude Sonnet 5', ALWAYS, 'January 2026', [2, 10, 0.2, 2.5]),
  { ...claude('claude-opus-4-8', 'Claude Opus 4.8', WHEN_ASKED, null, [5, 25, 0.5, 6.25]), rests: { ...READ, efforts: 'assumed' } },
  {
    ...claude('claude-opus-4-7', 'Claude Opus 4.7', WHEN_ASKED, null, [5, 25, 0.5, 6.25]),
    rests: { ...READ, window: 'assumed', efforts: 'assumed' },
  },
  {
    ...claude('claude-opus-4-6', 'Claude Opus 4.6', WHEN_ASKED, null, [5, 25, 0.5, 6.25]),
    efforts: BEFORE_XHIGH,
    rests: { ...READ, window: 'public page', efforts: 'public page' },
  },
  {
    ...claude('claude-sonnet-4-6', 'Claude Sonnet 4.6', WHEN_ASKED, null, [3, 15, 0.3, 3.75]),
    efforts: BEFORE_XHIGH,
    rests: { ...READ, efforts: 'public page' },
  },
  small(claude('claude-haiku-4-5', 'Claude Haiku 4.5', BUDGET, 'February 2025', [1, 5, 0.1, 1.25]), 'vendor page'),
  small(claude('claude-opus-4-5', 'Claude Opus 4.5', BUDGET, null, [5, 25, 0.5, 6.25]), 'public page'),
  small(claude('claude-sonnet-4-5', 'Claude Sonnet 4.5', BUDGET, null, [3, 15, 0.3, 3.75]), 'vendor page'),
]

function claude(model: string, label: string, reasoning: Reasoning, knowledge: string | null, prices: Prices): Model {
  return {
    provider: 'anthropic',
    model,
    label,
    pictures: true,
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    reasoning,
    knowledge,
    efforts: ALL,
    price: withHour(priceOf(prices)),
    rests: READ,
  }
}

/** These models accept a number of tokens, so their effort levels are our own. */
function small(model: Model, window: Rests['window']): Model {
  return { ...model, contextWindow: 200_000, maxOutput: 64_000, efforts: AS_BUDGET, rests: { ...READ, window, efforts: 'assumed' } }
}
