import type { Effort } from '../../../shared/session/effort.ts'
import type { Model } from '../model.ts'
import { above, priceOf, type Prices } from './prices.ts'

/** The levels of the SDK's `ThinkingLevel`; Pro does not know the least of them. */
const FLASH: readonly Effort[] = ['minimal', 'low', 'medium', 'high']
const PRO: readonly Effort[] = ['low', 'medium', 'high']
/** Each is a number of tokens. */
const AS_BUDGET: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/**
 * Names: the type `Model_2` of @google/genai 3.1. Prices: Google's price list for the Gemini API as others quote it (7 October 2026; that of
 * 3.8 Flash holds until the end of 2026 and doubles then). Reading from the cache: quoted for 3.5 and 3.8 Flash and 3.5 Flash-Lite, taken to be
 * a tenth for the others; keeping something in the cache by the hour is not counted. Window and limit: quoted for 3.5 Flash-Lite and 3.8
 * Flash, taken to be the same for the others. Price null: not found at a source. Aliases: what they stand for is Google's to change.
 */
export const GEMINI_MODELS: readonly Model[] = [
  {
    ...gemini('gemini-3.1-pro-preview', 'Gemini 3.1 Pro', [2, 12, 0.2, 0]),
    ...{ longPrompt: above(200_000, [4, 18, 0.4, 0]), aliases: ['gemini-pro-latest', 'gemini-3.1-pro-preview-customtools'] },
  },
  gemini('gemini-4-argon', 'Gemini 4 Argon', null),
  gemini('gemini-4-carbon', 'Gemini 4 Carbon', null),
  { ...gemini('gemini-3.8-flash', 'Gemini 3.8 Flash', [0.75, 3.75, 0.075, 0]), aliases: ['gemini-flash-latest'] },
  gemini('gemini-3.7-flash', 'Gemini 3.7 Flash', null),
  gemini('gemini-3.6-flash', 'Gemini 3.6 Flash', null),
  gemini('gemini-3.5-flash', 'Gemini 3.5 Flash', [1.5, 9, 0.15, 0]),
  { ...gemini('gemini-3.5-flash-lite', 'Gemini 3.5 Flash-Lite', [0.3, 2.5, 0.03, 0]), aliases: ['gemini-flash-lite-latest'] },
  gemini('gemini-3.1-flash-lite', 'Gemini 3.1 Flash-Lite', null),
  gemini('gemini-3-flash-preview', 'Gemini 3 Flash', null),
  { ...gemini('gemini-2.5-pro', 'Gemini 2.5 Pro', [1.25, 10, 0.125, 0]), longPrompt: above(200_000, [2.5, 15, 0.25, 0]) },
  gemini('gemini-2.5-flash', 'Gemini 2.5 Flash', [0.3, 2.5, 0.03, 0]),
  gemini('gemini-2.5-flash-lite', 'Gemini 2.5 Flash-Lite', [0.1, 0.4, 0.01, 0]),
]

function gemini(model: string, label: string, prices: Prices | null): Model {
  const isOlder = model.startsWith('gemini-2')
  return {
    ...{ provider: 'gemini', model, label, pictures: true, contextWindow: 1_048_576, maxOutput: 65_536, knowledge: null },
    reasoning: isOlder ? { kind: 'budget' } : { kind: 'adaptive', unasked: true },
    efforts: isOlder ? AS_BUDGET : model.includes('flash') ? FLASH : PRO,
    price: prices && priceOf(prices),
  }
}
