import type { ModelFacts, ModelPrice } from '../../../shared/api/settings.ts'
import type { ProviderId } from '../../../shared/session/content.ts'
import type { Effort } from '../../../shared/session/settings/effort.ts'
import type { Rests } from './known-models/prices.ts'

/**
 * How a model is told to reason. `adaptive`: it decides itself, more or less by effort, and does so unasked where `unasked` is true.
 * `budget`: a number of tokens. Sent the wrong way a request is refused.
 */
export type Reasoning = { readonly kind: 'adaptive'; readonly unasked: boolean } | { readonly kind: 'budget' }

/** What is known about a model. Models that are not in the catalogue can be used too. */
export interface Model extends ModelFacts {
  readonly provider: ProviderId
  readonly contextWindow: number
  /** Whether it can be shown pictures. */
  readonly pictures: boolean
  /** Tokens of one answer at most. */
  readonly maxOutput: number
  /** Tokens of a request at most, where the window counts the answer too; left out: the window. */
  readonly maxInput?: number
  readonly reasoning: Reasoning
  readonly efforts: readonly Effort[]
  /** What price, window and efforts rest on. */
  readonly rests: Rests
  /** What it costs from an announced day on (`2026-12-01`, midnight UTC); left out: no change is known. */
  readonly laterPrice?: { readonly from: string; readonly price: ModelPrice }
  /** Until when the model knows the world, as its vendor says; null: it does not say. */
  readonly knowledge: string | null
  /** The vendor's other names for it, which change their meaning over time. */
  readonly aliases?: readonly string[]
}
