import type { ModelAnswer, ProviderEvent } from '../../agent/ports/provider.ts'
import type { StopReason } from '../../../shared/session/events.ts'
import { ToolCallId } from '../../../shared/lib/ids.ts'

/** The stream contains something invalid, so nothing after it can be trusted. */
export class MalformedStream extends Error {}

/** An error that a service reports inside a stream. */
export interface ReportedError {
  readonly type: string | null
  readonly words: string
  /** The HTTP status in the report. The status of the response itself was 2xx. */
  readonly status?: number | null
  /** The raw report, if it may contain more details. */
  readonly body?: string
}

/** What one event of the stream led to. */
export type Step =
  | { readonly kind: 'shown'; readonly events: readonly ProviderEvent[] }
  | { readonly kind: 'reported'; readonly error: ReportedError }
  | { readonly kind: 'complete' }
  | null

/**
 * Assembles an answer from the raw events of a stream in one vendor's format. Newer usage figures replace older ones. Unknown kinds of
 * events are ignored. The answer so far can be read at any time.
 */
export interface AnswerReader {
  /** Processes one event. Throws `MalformedStream`. */
  take(event: unknown): Step
  /** Whether the answer is complete if the stream ends at this point: the service has sent `[DONE]`, or the body has ended normally. */
  isWhole(at: 'done' | 'end of body'): boolean
  answer(stopReason?: StopReason): ModelAnswer
}

export function shown(event: ProviderEvent): Step {
  return { kind: 'shown', events: [event] }
}

/** The service's id for a call. If that id is not usable, the last characters of `otherwise`. */
export function callId(given: string, otherwise: string): ToolCallId {
  const id = ToolCallId.safeParse(given)
  return id.success ? id.data : ToolCallId.parse(otherwise.slice(-200))
}

/** How an answer ended. Includes the service's own word for the reason if our stop reasons cannot express it. */
export function ended(stopReason: StopReason, word: unknown): Pick<ModelAnswer, 'stopReason' | 'endedWith'> {
  // A full context window is followed by compaction, but an answer that reached its length limit is continued. The service's word is needed
  // to tell them apart.
  const needsWord = stopReason === 'other' || stopReason === 'error' || word === 'model_context_window_exceeded'
  return { stopReason, ...(needsWord && typeof word === 'string' && word !== '' && { endedWith: word.slice(0, 200) }) }
}
