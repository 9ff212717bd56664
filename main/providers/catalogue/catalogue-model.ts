import type { ModelFacts, ModelPrice } from '../../../shared/api/settings.ts'
import type { ProviderId } from '../../../shared/session/content.ts'
import type { Effort } from '../../../shared/session/settings/model-facts.ts'
import type { Rests } from './known-models/prices.ts'

/**
 * How reasoning is requested. `adaptive`: by effort; the model decides how much, and reasons without a request if `unasked` is true.
 * `budget`: by a number of tokens. A model rejects the other form.
 */
export type Reasoning = { readonly kind: 'adaptive'; readonly unasked: boolean } | { readonly kind: 'budget' }

/** A model of the catalogue. Other models can be used too. */
export interface Model extends ModelFacts {
  readonly provider: ProviderId
  readonly contextWindow: number
  /** Whether it accepts pictures. */
  readonly pictures: boolean
  /** Most tokens of one answer. */
  readonly maxOutput: number
  /** Most tokens of a request, if the context window includes the answer. Left out: the context window. */
  readonly maxInput?: number
  readonly reasoning: Reasoning
  readonly efforts: readonly Effort[]
  /** The sources of price, window and efforts. */
  readonly rests: Rests
  /** An announced price from a day on (`2026-12-01`, midnight UTC). Left out: none is known. */
  readonly laterPrice?: { readonly from: string; readonly price: ModelPrice }
  /** The vendor's knowledge cutoff; null: not published. */
  readonly knowledge: string | null
  /** The vendor's other names for it, whose meaning changes over time. */
  readonly aliases?: readonly string[]
}
