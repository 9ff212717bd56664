import type { Effort } from '../../../../shared/session/settings/model-facts.ts'
import type { Model } from '../catalogue-model.ts'
import { above, priceOf, type Prices, type Rests, withAssumedCache } from './prices.ts'

const SINCE_5_6: readonly Effort[] = ['none', 'low', 'medium', 'high', 'xhigh', 'max']
const SINCE_5_2: readonly Effort[] = ['none', 'low', 'medium', 'high', 'xhigh']
const SINCE_5_1: readonly Effort[] = ['none', 'low', 'medium', 'high']
const SINCE_5: readonly Effort[] = ['minimal', 'low', 'medium', 'high']

/**
 * Above this number of input tokens, the price of the entire request is twice as high for input and cache, and 1.5 times as high for
 * output.
 */
const LONG = 272_000

const QUOTED: Rests = { price: 'public page', window: 'public page', efforts: 'public page' }
const UNPRICED: Rests = { price: null, window: 'assumed', efforts: 'assumed' }

/**
 * Names: the types `ChatModel` and `ResponsesModel` of openai 7.57. OpenAI's own pages were not read. All figures come from LiteLLM,
 * resellers and price tables of other tools (May to November 2026). GPT-5.6 Terra and Luna have the prices since the cut of 30 July 2026.
 * GPT-5.6 Sol has its list price, because the offer of $4 and $20 was to end on 21 November 2026. If no source lists a cache price
 * (`withAssumedCache`), a write costs a quarter more than input (models since 5.6), and a read costs a tenth of input (GPT-5.2 and 5.1).
 * The default is the newest general model with a known price, so that budgets in money work. An effort level that the service refuses is
 * left out of later requests, and a notice in the ledger names it.
 */
export const OPENAI_MODELS: readonly Model[] = [
  withAssumedCache(gpt('gpt-6.1-sol', 'GPT-6.1 Sol', [2, 10, 0.1, 2.5])),
  withAssumedCache(gpt('gpt-6.1-terra', 'GPT-6.1 Terra', [1, 5, 0.05, 1.25])),
  withAssumedCache({ ...gpt('gpt-6-astra', 'GPT-6 Astra', [10, 50, 1, 12.5]), rests: { ...QUOTED, efforts: 'assumed' } }),
  gpt('gpt-6-sol', 'GPT-6 Sol', [2, 10, 0.2, 2.5]),
  gpt('gpt-6-luna', 'GPT-6 Luna', [0.1, 0.5, 0.01, 0.125]),
  withAssumedCache(gpt('gpt-5.6-sol', 'GPT-5.6 Sol', [5, 30, 0.5, 6.25])),
  withAssumedCache(gpt('gpt-5.6-terra', 'GPT-5.6 Terra', [2, 12, 0.2, 2.5])),
  withAssumedCache(gpt('gpt-5.6-luna', 'GPT-5.6 Luna', [0.2, 1.2, 0.02, 0.25])),
  { ...gpt('gpt-5.5', 'GPT-5.5', [5, 30, 0.5, 0]), efforts: SINCE_5_2 },
  { ...gpt('gpt-5.5-pro', 'GPT-5.5 Pro', [30, 180, 3, 0]), efforts: SINCE_5_2, rests: { ...QUOTED, efforts: 'assumed' } },
  { ...gpt('gpt-5.4', 'GPT-5.4', [2.5, 15, 0.25, 0]), efforts: SINCE_5_2 },
  small(gpt('gpt-5.4-mini', 'GPT-5.4 mini', [0.75, 4.5, 0.075, 0]), SINCE_5_2),
  small(gpt('gpt-5.4-nano', 'GPT-5.4 nano', [0.2, 1.25, 0.02, 0]), SINCE_5_2),
  withAssumedCache(small(gpt('gpt-5.2', 'GPT-5.2', [1.75, 14, 0.175, 0]), SINCE_5_2)),
  small(gpt('gpt-5.2-pro', 'GPT-5.2 Pro', [21, 168, 21, 0]), SINCE_5_2),
  withAssumedCache(small(gpt('gpt-5.1', 'GPT-5.1', [1.25, 10, 0.125, 0]), SINCE_5_1)),
  small(gpt('gpt-5.1-codex-max', 'GPT-5.1 Codex Max', null), SINCE_5_2),
  small(gpt('gpt-5', 'GPT-5', [1.25, 10, 0.125, 0]), SINCE_5),
  small(gpt('gpt-5-mini', 'GPT-5 mini', [0.25, 2, 0.025, 0]), SINCE_5),
  small(gpt('gpt-5-nano', 'GPT-5 nano', [0.05, 0.4, 0.005, 0]), SINCE_5),
]

function gpt(model: string, label: string, prices: Prices | null): Model {
  return {
    provider: 'openai',
    model,
    label,
    pictures: true,
    contextWindow: 1_050_000,
    maxOutput: 128_000,
    maxInput: 922_000,
    reasoning: { kind: 'adaptive', unasked: true },
    efforts: SINCE_5_6,
    knowledge: null,
    price: prices && priceOf(prices),
    rests: prices ? QUOTED : UNPRICED,
    ...(prices && { longPrompt: above(LONG, long(prices)) }),
  }
}

function long([input, output, cacheRead, cacheWrite]: Prices): Prices {
  return [input * 2, output * 1.5, cacheRead * 2, cacheWrite * 2]
}

/**
 * Leaves out the price of long prompts, because no long prompt fits into the window. The effort levels are marked as assumed, because no
 * source lists them for each generation.
 */
function small(whole: Model, efforts: readonly Effort[]): Model {
  const { longPrompt: _, ...model } = whole
  return { ...model, contextWindow: 400_000, maxInput: 272_000, efforts, rests: { ...model.rests, efforts: 'assumed' } }
}
