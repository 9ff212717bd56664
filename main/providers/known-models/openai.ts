import type { Effort } from '../../../shared/session/effort.ts'
import type { Model } from '../model.ts'
import { above, priceOf, type Prices } from './prices.ts'

const SINCE_5_6: readonly Effort[] = ['none', 'low', 'medium', 'high', 'xhigh', 'max']
const SINCE_5_2: readonly Effort[] = ['none', 'low', 'medium', 'high', 'xhigh']
const SINCE_5_1: readonly Effort[] = ['none', 'low', 'medium', 'high']
const SINCE_5: readonly Effort[] = ['minimal', 'low', 'medium', 'high']

/**
 * Names: the types `ChatModel` and `ResponsesModel` of openai 7.57. GPT-5.6: the prices that OpenAI announced on 26 June 2026, as others quote
 * them; its window and limit: what resellers tell of it. GPT-5.4 and 5.5: OpenAI's price list and pages of May 2026 as others quote them.
 * GPT-5 and 5.1: quoted by resellers. Price null: not found at a source; window and limit are then taken to be those of the family's nearest,
 * and the person can set all of it. The default is the newest model whose price is known, so that budgets in money hold. Efforts: OpenAI's
 * guide on reasoning; one that is refused is left out and told.
 */
export const OPENAI_MODELS: readonly Model[] = [
  gpt('gpt-5.6-sol', 'GPT-5.6 Sol', [5, 30, 0.5, 6.25]),
  gpt('gpt-5.6-terra', 'GPT-5.6 Terra', [2.5, 15, 0.25, 3.125]),
  gpt('gpt-5.6-luna', 'GPT-5.6 Luna', [1, 6, 0.1, 1.25]),
  gpt('gpt-6-astra', 'GPT-6 Astra', null),
  gpt('gpt-6.1-sol', 'GPT-6.1 Sol', null),
  gpt('gpt-6.1-terra', 'GPT-6.1 Terra', null),
  gpt('gpt-6-sol', 'GPT-6 Sol', null),
  gpt('gpt-6-luna', 'GPT-6 Luna', null),
  { ...gpt('gpt-5.5', 'GPT-5.5', [5, 30, 0.5, 0]), longPrompt: above(272_000, [10, 45, 1, 0]), efforts: SINCE_5_2 },
  { ...gpt('gpt-5.5-pro', 'GPT-5.5 Pro', null), efforts: SINCE_5_2 },
  { ...gpt('gpt-5.4', 'GPT-5.4', [2.5, 15, 0.25, 0]), longPrompt: above(272_000, [5, 22.5, 0.5, 0]), efforts: SINCE_5_2 },
  small(gpt('gpt-5.4-mini', 'GPT-5.4 mini', [0.75, 4.5, 0.075, 0]), SINCE_5_2),
  small(gpt('gpt-5.4-nano', 'GPT-5.4 nano', [0.2, 1.25, 0.02, 0]), SINCE_5_2),
  small(gpt('gpt-5.2', 'GPT-5.2', null), SINCE_5_2),
  small(gpt('gpt-5.2-pro', 'GPT-5.2 Pro', null), SINCE_5_2),
  small(gpt('gpt-5.1', 'GPT-5.1', null), SINCE_5_1),
  small(gpt('gpt-5.1-codex-max', 'GPT-5.1 Codex Max', null), SINCE_5_2),
  small(gpt('gpt-5', 'GPT-5', [1.25, 10, 0.125, 0]), SINCE_5),
  small(gpt('gpt-5-mini', 'GPT-5 mini', [0.25, 2, 0.025, 0]), SINCE_5),
  small(gpt('gpt-5-nano', 'GPT-5 nano', [0.05, 0.4, 0.005, 0]), SINCE_5),
]

function gpt(model: string, label: string, prices: Prices | null): Model {
  return {
    ...{ provider: 'openai', model, label, pictures: true, contextWindow: 1_050_000, maxOutput: 128_000, maxInput: 922_000 },
    ...{ reasoning: { kind: 'adaptive', unasked: true }, efforts: SINCE_5_6, knowledge: null },
    price: prices && priceOf(prices),
  }
}

function small(model: Model, efforts: readonly Effort[]): Model {
  return { ...model, contextWindow: 400_000, maxInput: 272_000, efforts }
}
