import type { ModelAnswer, ProviderEvent } from '../../agent/ports/provider.ts'
import type { StopReason } from '../../../shared/session/events.ts'
import { ToolCallId } from '../../../shared/lib/ids.ts'

/** Something in a stream that cannot be understood, so that nothing after it can be trusted. */
export class MalformedStream extends Error {}

/** What a service reports about itself in the middle of a stream. */
export interface ReportedError {
  /** The service's own name for this kind of error. */
  readonly type: string | null
  readonly words: string
  /** An HTTP status that the report names; the response's own was good. */
  readonly status?: number | null
  /** The report as it came, where more can be found in it. */
  readonly body?: string
}

/** What one event brought. */
export type Step =
  | { readonly kind: 'shown'; readonly events: readonly ProviderEvent[] }
  | { readonly kind: 'reported'; readonly error: ReportedError }
  | { readonly kind: 'complete' }
  | null

/**
 * Puts an answer together from the raw events of a stream in one vendor's format. Figures are overwritten by newer ones; events of kinds
 * unknown here change nothing. What arrived so far can be taken out at any time.
 */
export interface AnswerReader {
  /** Takes one event. Throws `MalformedStream`. */
  take(event: unknown): Step
  /** Whether the answer is whole when the service says `[DONE]`, or when the body comes to a polite end. */
  isWhole(at: 'done' | 'end of body'): boolean
  /** The answer as far as it has come. */
  answer(stopReason?: StopReason): ModelAnswer
}

export function shown(event: ProviderEvent): Step {
  return { kind: 'shown', events: [event] }
}

/** The id that the service gave; where that cannot be used, the last characters of `otherwise`. */
export function callId(given: string, otherwise: string): ToolCallId {
  const id = ToolCallId.safeParse(given)
  return id.success ? id.data : ToolCallId.parse(otherwise.slice(-200))
}

/** How an answer ended, with the service's own word where ours says nothing of it. */
export function ended(stopReason: StopReason, word: unknown): Pick<ModelAnswer, 'stopReason' | 'endedWith'> {
  // A full window is told apart from a long answer: the one is compacted, the other gone on with.
  const isUntold = stopReason === 'other' || stopReason === 'error' || word === 'model_context_window_exceeded'
  return { stopReason, ...(isUntold && typeof word === 'string' && word !== '' && { endedWith: word.slice(0, 200) }) }
}
