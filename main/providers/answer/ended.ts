import type { ModelAnswer } from '../../agent/ports/provider.ts'
import type { StopReason } from '../../../shared/session/events.ts'

/** How an answer ended, with the service's own word where ours says nothing of it. */
export function ended(stopReason: StopReason, word: unknown): Pick<ModelAnswer, 'stopReason' | 'endedWith'> {
  const isUntold = stopReason === 'other' || stopReason === 'error'
  return { stopReason, ...(isUntold && typeof word === 'string' && word !== '' && { endedWith: word.slice(0, 200) }) }
}
