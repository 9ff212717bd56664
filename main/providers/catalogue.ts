import type { ProviderId, Usage } from '../../shared/session/content.ts'
import { CATALOGUE, type Model } from './models.ts'

/** The models of a provider, the one that is offered first at the top. */
export function modelsOf(provider: ProviderId): readonly Model[] {
  return CATALOGUE.filter((model) => model.provider === provider)
}

/**
 * Null: not in the catalogue, so nothing is known of it. Vendors' other names for a model, dated (`…-20251001`, `…-2026-04-23`) or `…-latest`,
 * count as the model. Each is sent as it was given (L-03).
 */
export function findModel(provider: ProviderId, model: string): Model | null {
  const plain = undated(model)
  return CATALOGUE.find((entry) => entry.provider === provider && (entry.model === model || entry.model === plain)) ?? null
}

/** A model's name without the date or `latest` behind it. */
export function undated(model: string): string {
  return model.replace(/-(\d{8}|\d{4}-\d\d-\d\d|latest)$/, '')
}

/** US dollars for one answer; null where no price is known. */
export function costUsd(provider: ProviderId, model: string, usage: Usage): number | null {
  const entry = findModel(provider, model)
  if (!entry?.price) return null
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite
  const price = entry.longPrompt && prompt > entry.longPrompt.above ? entry.longPrompt.price : entry.price
  const sum =
    usage.input * price.input + usage.output * price.output + usage.cacheRead * price.cacheRead + usage.cacheWrite * price.cacheWrite
  return sum / 1_000_000
}
