import type { ModelPrice } from '../../../../shared/api/settings.ts'

/**
 * The source of a figure. `vendor page`: the vendor's own page, price list or guide, read in a search index of public pages on 22
 * November 2026. `public page`: a reseller or price table that quotes the vendor, read in the same index. `SDK types`: the types of the
 * vendor's installed SDK. `assumed`: there is no source, and the figure is that of the nearest model of the same family.
 */
type Basis = 'vendor page' | 'public page' | 'SDK types' | 'assumed'

export interface Rests {
  /** Null if no price is known. */
  readonly price: Basis | null
  /** The source of the context window and of the longest answer. */
  readonly window: Basis
  readonly efforts: Basis
}

/** US dollars per million tokens. */
export type Prices = readonly [input: number, output: number, cacheRead: number, cacheWrite: number]

export function priceOf([input, output, cacheRead, cacheWrite]: Prices): ModelPrice {
  return { input, output, cacheRead, cacheWrite }
}

/**
 * Anthropic bills a cache write at twice the input price if it is kept for an hour, and at a quarter more than the input price if it is
 * kept for five minutes.
 */
export function withHour(price: ModelPrice): ModelPrice {
  return { ...price, cacheWriteHour: price.input * 2 }
}

/**
 * Marks a model's cache prices as assumed, because no source lists them. The user sees this mark at every cost that depends on these
 * prices.
 */
export function withAssumedCache<M extends { readonly price: ModelPrice | null }>(model: M): M {
  return { ...model, price: model.price && { ...model.price, assumedCache: true } }
}

/** The price of the entire request if its prompt has more than `tokens` tokens. */
export function above(tokens: number, prices: Prices): { readonly above: number; readonly price: ModelPrice } {
  return { above: tokens, price: priceOf(prices) }
}

/** The price from a given day on (midnight UTC). */
export function from(day: string, prices: Prices): { readonly from: string; readonly price: ModelPrice } {
  return { from: day, price: priceOf(prices) }
}
