import type { ModelPrice } from '../../../shared/api/settings.ts'
import { ANTHROPIC_MODELS } from './known-models/anthropic.ts'
import { GEMINI_MODELS } from './known-models/gemini.ts'
import { OPENAI_MODELS } from './known-models/openai.ts'
import type { Model } from './model.ts'

/** When models, prices and windows were last checked against the vendors' SDKs and pages (a day, midnight UTC). */
export const CATALOGUE_DATE = '2026-11-22'

const FREE: ModelPrice = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** The known models of each vendor, the default first. The vendors' files name the sources of windows and prices. */
export const CATALOGUE: readonly Model[] = [
  ...ANTHROPIC_MODELS,
  ...OPENAI_MODELS,
  ...GEMINI_MODELS,
  {
    provider: 'rehearsal',
    model: 'rehearsal',
    label: 'Rehearsal (scripted, no model)',
    pictures: false,
    contextWindow: 200_000,
    maxOutput: 8_192,
    reasoning: { kind: 'budget' },
    efforts: [],
    knowledge: null,
    price: FREE,
    rests: { price: 'assumed', window: 'assumed', efforts: 'assumed' },
  },
]
