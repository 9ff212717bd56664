import type { ModelPrice } from '../../../../shared/api/settings.ts'

/**
 * What a figure of the catalogue rests on. `vendor page`: the vendor's own page on the model, its price list or its guide, read in a search index
 * of public pages on 22 November 2026. `public page`: somebody else who quotes the vendor (a reseller, a price table), read in the same index.
 * `SDK types`: the types of the vendor's installed SDK. `assumed`: read nowhere; taken from the nearest model of its family.
 */
type Basis = 'vendor page' | 'public page' | 'SDK types' | 'assumed'

export interface Rests {
  /** Null: no price is known. */
  readonly price: Basis | null
  /** Of window and longest answer. */
  readonly window: Basis
  readonly efforts: Basis
}

/** US dollars per million tokens. */
export type Prices = readonly [input: number, output: number, cacheRead: number, cacheWrite: number]

export function priceOf([input, output, cacheRead, cacheWrite]: Prices): ModelPrice {
  return { input, output, cacheRead, cacheWrite }
}

/** Anthropic bills a cache mark of an hour at twice the input, one of five minutes at a quarter more. */
export function withHour(price: ModelPrice): ModelPrice {
  return { ...price, cacheWriteHour: price.input * 2 }
}

/** What a prompt above so many tokens costs throughout. */
export function above(tokens: number, prices: Prices): { readonly above: number; readonly price: ModelPrice } {
  return { above: tokens, price: priceOf(prices) }
}

/** What it costs from a day on (midnight UTC). */
export function from(day: string, prices: Prices): { readonly from: string; readonly price: ModelPrice } {
  return { from: day, price: priceOf(prices) }
}
