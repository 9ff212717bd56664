import type { Effort } from '../../../../shared/session/settings/model-facts.ts'
import type { Model } from '../catalogue-model.ts'
import { above, from, priceOf, type Prices, type Rests, withAssumedCache } from './prices.ts'

/** The levels of the SDK's `ThinkingLevel`. Pro, Gemini 4 and 3.7 Flash have no `minimal`. */
const FLASH: readonly Effort[] = ['minimal', 'low', 'medium', 'high']
const PRO: readonly Effort[] = ['low', 'medium', 'high']
/** Each level is sent as a number of tokens. */
const AS_BUDGET: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

const QUOTED: Rests = { price: 'public page', window: 'public page', efforts: 'public page' }
const ONLY_PRICED: Rests = { price: 'public page', window: 'assumed', efforts: 'assumed' }

/**
 * Names: the type `Model_2` of @google/genai 3.1. Google's own pages were not read. Prices, and the dates on which introductory prices
 * end, come from LiteLLM, resellers and price tables (July to November 2026). If none of them lists the price of a cache read
 * (`withAssumedCache`), it is a tenth of the input price. The hourly price of cache storage is not counted. Google decides which model an
 * alias stands for. The default is not the newest model, because Gemini 4 is only available to paying accounts.
 */
export const GEMINI_MODELS: readonly Model[] = [
  {
    ...gemini('gemini-3.1-pro-preview', 'Gemini 3.1 Pro', [2, 12, 0.2, 0], QUOTED),
    longPrompt: above(200_000, [4, 18, 0.4, 0]),
    aliases: ['gemini-pro-latest', 'gemini-3.1-pro-preview-customtools'],
  },
  // The context window of this model includes the answer.
  {
    ...gemini('gemini-4-argon', 'Gemini 4 Argon', [2, 10, 0.1, 0], QUOTED),
    maxInput: 983_040,
    laterPrice: from('2026-12-01', [4, 20, 0.2, 0]),
  },
  {
    ...gemini('gemini-4-carbon', 'Gemini 4 Carbon', [2, 10, 0.1, 0], { ...QUOTED, efforts: 'assumed' }),
    maxInput: 983_040,
    laterPrice: from('2026-12-01', [4, 20, 0.2, 0]),
  },
  {
    ...gemini('gemini-3.8-flash', 'Gemini 3.8 Flash', [0.75, 3.75, 0.075, 0], { ...QUOTED, efforts: 'assumed' }),
    laterPrice: from('2027-01-01', [1.5, 7.5, 0.15, 0]),
    aliases: ['gemini-flash-latest'],
  },
  withAssumedCache({ ...gemini('gemini-3.7-flash', 'Gemini 3.7 Flash', [0.75, 3.75, 0.075, 0], QUOTED), efforts: PRO }),
  gemini('gemini-3.6-flash', 'Gemini 3.6 Flash', [1.5, 7.5, 0.15, 0], QUOTED),
  gemini('gemini-3.5-flash', 'Gemini 3.5 Flash', [1.5, 9, 0.15, 0], { ...QUOTED, efforts: 'assumed' }),
  withAssumedCache({
    ...gemini('gemini-3.5-flash-lite', 'Gemini 3.5 Flash-Lite', [0.3, 2.5, 0.03, 0], QUOTED),
    aliases: ['gemini-flash-lite-latest'],
  }),
  gemini('gemini-3.1-flash-lite', 'Gemini 3.1 Flash-Lite', null, { ...ONLY_PRICED, price: null }),
  gemini('gemini-3-flash-preview', 'Gemini 3 Flash', [0.5, 3, 0.05, 0], ONLY_PRICED),
  withAssumedCache({
    ...gemini('gemini-2.5-pro', 'Gemini 2.5 Pro', [1.25, 10, 0.125, 0], ONLY_PRICED),
    longPrompt: above(200_000, [2.5, 15, 0.25, 0]),
  }),
  withAssumedCache(gemini('gemini-2.5-flash', 'Gemini 2.5 Flash', [0.3, 2.5, 0.03, 0], ONLY_PRICED)),
  withAssumedCache(gemini('gemini-2.5-flash-lite', 'Gemini 2.5 Flash-Lite', [0.1, 0.4, 0.01, 0], ONLY_PRICED)),
]

function gemini(model: string, label: string, prices: Prices | null, rests: Rests): Model {
  const isOlder = model.startsWith('gemini-2')
  return {
    provider: 'gemini',
    model,
    label,
    pictures: true,
    contextWindow: 1_048_576,
    maxOutput: 65_536,
    knowledge: null,
    reasoning: isOlder ? { kind: 'budget' } : { kind: 'adaptive', unasked: true },
    efforts: isOlder ? AS_BUDGET : model.includes('flash') ? FLASH : PRO,
    price: prices && priceOf(prices),
    rests,
  }
}
