import type { ModelPrice } from '../../../shared/api/settings.ts'
import type { PersonPrice } from '../../../shared/session/settings/model-facts.ts'
import type { ProviderId, Usage } from '../../../shared/session/content.ts'
import type { Model } from './catalogue-model.ts'
import { ANTHROPIC_MODELS } from './known-models/anthropic.ts'
import { GEMINI_MODELS } from './known-models/gemini.ts'
import { OPENAI_MODELS } from './known-models/openai.ts'

/** The day (midnight UTC) on which models, prices and windows were last checked against the vendors' SDKs and pages. */
export const CATALOGUE_DATE = '2026-11-22'

const FREE: ModelPrice = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** The known models of each vendor, default first. The vendors' files state the sources of windows and prices. */
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

/** The models of a provider, default first. */
export function modelsOf(provider: ProviderId): readonly Model[] {
  return CATALOGUE.filter((model) => model.provider === provider)
}

/**
 * Returns the catalogue's entry for a model; null if the model is unknown. Aliases match, and so do names that end with a date
 * (`…-20251001`, `…-2026-04-23`) or with `-latest`. Requests still use the name that the user gave.
 */
export function findModel(provider: ProviderId, model: string): Model | null {
  const plain = undated(model)
  const isMeant = (entry: Model): boolean => entry.model === model || entry.model === plain || (entry.aliases?.includes(model) ?? false)
  return CATALOGUE.find((entry) => entry.provider === provider && isMeant(entry)) ?? null
}

/**
 * The model that a name in other agents' files refers to: a model that the catalogue lists for the provider, or the provider's newest
 * Claude of the family `opus`, `sonnet` or `haiku`. Null if the provider has none.
 */
export function modelNamed(provider: ProviderId, name: string): string | null {
  if (findModel(provider, name)) return name
  const isFamily = ['opus', 'sonnet', 'haiku'].includes(name)
  return (isFamily && modelsOf(provider).find(({ model }) => model.startsWith(`claude-${name}-`))?.model) || null
}

/** A model's name without the date or `latest` at its end. */
export function undated(model: string): string {
  return model.replace(/-(\d{8}|\d{4}-\d\d-\d\d|latest)$/, '')
}

export interface CostParts {
  /** The price that the user set or the service lists. */
  readonly own?: PersonPrice | null
  /** Time of the request in ms since 1970. If absent, the price before all announced price changes is used. */
  readonly atMs?: number
}

/** The cost of one answer in US dollars; null if the price is unknown. */
export function costUsd(provider: ProviderId, model: string, usage: Usage, { own = null, atMs = 0 }: CostParts = {}): number | null {
  const price = own
    ? { input: own.input, output: own.output, cacheRead: own.cacheRead ?? own.input, cacheWrite: own.cacheWrite ?? own.input }
    : priceFor(findModel(provider, model), usage, atMs)
  if (!price) return null
  const hour = usage.cacheWriteHour ?? 0
  const hourPrice = 'cacheWriteHour' in price ? (price.cacheWriteHour ?? price.cacheWrite) : price.cacheWrite
  const sum =
    usage.input * price.input +
    usage.output * price.output +
    usage.cacheRead * price.cacheRead +
    (usage.cacheWrite - hour) * price.cacheWrite +
    hour * hourPrice
  return sum / 1_000_000
}

/** A model's price at the given time. */
export function priceAt({ price, laterPrice }: Model, atMs: number): ModelPrice | null {
  return laterPrice && atMs >= Date.parse(laterPrice.from) ? laterPrice.price : price
}

/** The price for a request with this usage. Long prompts may cost more. */
function priceFor(model: Model | null, usage: Usage, atMs: number): ModelPrice | null {
  if (!model?.price) return null
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite
  return model.longPrompt && prompt > model.longPrompt.above ? model.longPrompt.price : priceAt(model, atMs)
}
