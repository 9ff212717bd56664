import type { ModelAnswer } from '../../agent/ports/provider.ts'
import type { StopReason } from '../../../shared/session/events.ts'

/** How an answer ended, with the service's own word where ours says nothing of it. */
export function ended(stopReason: StopReason, word: unknown): Pick<ModelAnswer, 'stopReason' | 'endedWith'> {
  // A full window is told apart from a long answer: the one is compacted, the other gone on with.
  const isUntold = stopReason === 'other' || stopReason === 'error' || word === 'model_context_window_exceeded'
  return { stopReason, ...(isUntold && typeof word === 'string' && word !== '' && { endedWith: word.slice(0, 200) }) }
}
