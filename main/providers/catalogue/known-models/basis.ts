/**
 * What a figure of the catalogue rests on. `vendor page`: the vendor's own page on the model, its price list or its guide, read in a search index
 * of public pages on 22 November 2026. `public page`: somebody else who quotes the vendor (a reseller, a price table), read in the same index.
 * `SDK types`: the types of the vendor's installed SDK. `assumed`: read nowhere; taken from the nearest model of its family.
 */
export type Basis = 'vendor page' | 'public page' | 'SDK types' | 'assumed'

export interface Rests {
  /** Null: no price is known. */
  readonly price: Basis | null
  /** Of window and longest answer. */
  readonly window: Basis
  readonly efforts: Basis
}

/** When the known models, their prices and their windows were last checked (ms since 1970). */
export const KNOWN_MODELS_CHECKED_MS = Date.UTC(2026, 10, 22)
