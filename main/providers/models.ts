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
  /** Whether it can be shown pictures. */
  readonly pictures: boolean
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

/**
 * Windows, limits and prices (US dollars per million tokens), looked up on 21 November 2026; where each comes from stands at the functions
 * below. None was checked against a bill, and vendors change them: advisory, as all of this (L-07).
 */
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
  gpt('gpt-5.6-sol', 'GPT-5.6 Sol', [5, 30, 0.5, 6.25]),
  gpt('gpt-5.6-terra', 'GPT-5.6 Terra', [2.5, 15, 0.25, 3.125]),
  gpt('gpt-5.6-luna', 'GPT-5.6 Luna', [1, 6, 0.1, 1.25]),
  { ...gpt('gpt-5.5', 'GPT-5.5', [5, 30, 0.5, 0]), longPrompt: long(272_000, [10, 45, 1, 0]) },
  { ...gpt('gpt-5.4', 'GPT-5.4', [2.5, 15, 0.25, 0]), longPrompt: long(272_000, [5, 22.5, 0.5, 0]) },
  { ...gpt('gpt-5.4-mini', 'GPT-5.4 mini', [0.75, 4.5, 0.075, 0]), contextWindow: 400_000 },
  { ...gpt('gpt-5.4-nano', 'GPT-5.4 nano', [0.2, 1.25, 0.02, 0]), contextWindow: 400_000 },
  { ...gemini('gemini-3.1-pro-preview', 'Gemini 3.1 Pro', [2, 12, 0.2, 0]), longPrompt: long(200_000, [4, 18, 0.4, 0]) },
  gemini('gemini-3.8-flash', 'Gemini 3.8 Flash', [0.75, 3.75, 0.075, 0]),
  gemini('gemini-3.5-flash', 'Gemini 3.5 Flash', [1.5, 9, 0.15, 0]),
  gemini('gemini-3.5-flash-lite', 'Gemini 3.5 Flash-Lite', [0.3, 2.5, 0.03, 0]),
  { ...gemini('gemini-2.5-pro', 'Gemini 2.5 Pro', [1.25, 10, 0.125, 0]), longPrompt: long(200_000, [2.5, 15, 0.25, 0]) },
  gemini('gemini-2.5-flash', 'Gemini 2.5 Flash', [0.3, 2.5, 0.03, 0]),
  {
    provider: 'rehearsal',
    model: 'rehearsal',
    label: 'Rehearsal (scripted, no model)',
    pictures: false,
    contextWindow: 200_000,
    maxOutput: 8_192,
    reasoning: BUDGET,
    knowledge: null,
    price: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  },
]

type Prices = readonly [input: number, output: number, cacheRead: number, cacheWrite: number]

/**
 * Input, output, window, limit and knowledge of Opus 5.5 and 5, Sonnet 5.5 and 5, Haiku 5.5 and 4.5 and Fable 5.1: Anthropic's pages on its
 * models. Prices of the cache: the same pages for Opus 5.5 and Opus 5; for the others, and for Haiku 5.5's long prompts, lists of others that
 * quote Anthropic's price list. Writing is that of five minutes. Fable 5.2: a reseller that says it charges Anthropic's own prices; its limit
 * is taken to be that of Fable 5.1. Opus 4.8 and Sonnet 4.6: lists of others; their limits are taken to be those of their successors.
 */
function claude(model: string, label: string, reasoning: Reasoning, knowledge: string | null, prices: Prices): Model {
  return {
    ...{ provider: 'anthropic', model, label, pictures: true, contextWindow: 1_000_000, maxOutput: 128_000, reasoning, knowledge },
    price: priceOf(prices),
  }
}

/**
 * GPT-5.6: the prices that OpenAI announced on 26 June 2026, as others quote them (reading from the cache a tenth, writing to it a quarter
 * more). Since then resellers ask for less, and one asks for twice the input above 272 000 tokens: both unconfirmed, and not counted here.
 * Its window and limit: what resellers tell of it. GPT-5.4 and 5.5: OpenAI's price list and pages of May 2026 as others quote them, not read
 * at their source for this table.
 */
function gpt(model: string, label: string, prices: Prices): Model {
  return {
    ...{
      provider: 'openai',
      model,
      label,
      pictures: true,
      contextWindow: 1_050_000,
      maxOutput: 128_000,
      reasoning: ALWAYS,
      knowledge: null,
    },
    price: priceOf(prices),
  }
}

/**
 * Prices: Google's price list for the Gemini API as others quote it (7 October 2026; that of 3.8 Flash holds until the end of 2026 and doubles
 * then). Reading from the cache: quoted for 3.5 and 3.8 Flash and 3.5 Flash-Lite, taken to be a tenth for the others; keeping something in the
 * cache by the hour is not counted. Window and limit: quoted for 3.5 Flash-Lite and 3.8 Flash, taken to be the same for the others.
 */
function gemini(model: string, label: string, prices: Prices): Model {
  const reasoning = model.startsWith('gemini-2') ? BUDGET : ALWAYS
  return {
    ...{ provider: 'gemini', model, label, pictures: true, contextWindow: 1_048_576, maxOutput: 65_536, reasoning, knowledge: null },
    price: priceOf(prices),
  }
}

function long(above: number, prices: Prices): NonNullable<Model['longPrompt']> {
  return { above, price: priceOf(prices) }
}

function priceOf([input, output, cacheRead, cacheWrite]: Prices): Price {
  return { input, output, cacheRead, cacheWrite }
}
