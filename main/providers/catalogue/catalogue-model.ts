import type { ModelFacts, ModelPrice } from '../../../shared/api/settings.ts'
import type { ProviderId } from '../../../shared/session/content.ts'
import type { Effort } from '../../../shared/session/settings/model-facts.ts'
import type { Rests } from './known-models/prices.ts'

/**
 * How reasoning is requested. `adaptive`: by an effort level, and the model decides how much it reasons. If `unasked` is true, it reasons
 * even without a request. `budget`: by a number of tokens. Each model accepts only one of the two.
 */
export type Reasoning = { readonly kind: 'adaptive'; readonly unasked: boolean } | { readonly kind: 'budget' }

/** A model of the catalogue. Models that are not in the catalogue can also be used. */
export interface Model extends ModelFacts {
  readonly provider: ProviderId
  readonly contextWindow: number
  /** Whether the model accepts pictures. */
  readonly pictures: boolean
  /** Maximum number of tokens of one answer. */
  readonly maxOutput: number
  /** Maximum number of tokens of a request. Set for models whose context window includes the answer. Default: the context window. */
  readonly maxInput?: number
  readonly reasoning: Reasoning
  readonly efforts: readonly Effort[]
  /** The sources of the price, the window and the effort levels. */
  readonly rests: Rests
  /** An announced price and the day from which it applies (`2026-12-01`, midnight UTC). Absent if none is known. */
  readonly laterPrice?: { readonly from: string; readonly price: ModelPrice }
  /** The vendor's knowledge cutoff; null if it is not published. */
  readonly knowledge: string | null
  /** The vendor's other names for the model. Their meaning changes over time. */
  readonly aliases?: readonly string[]
}
