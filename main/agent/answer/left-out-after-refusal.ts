import type { Turn } from '../../../shared/session/conversation-turns.ts'
import type { SessionConfigured, Trouble } from '../../../shared/session/events.ts'
import type { ProviderFailure } from '../ports/provider.ts'
import { picturesLeftOut } from '../pictures/omitted-pictures.ts'
import { holdPictures } from '../pictures/resolve-pictures.ts'
import { holdReasoning, mayRefuseReasoning, reasoningLeftOut } from './omitted-reasoning.ts'

/**
 * The warning after which the conversation is sent without what the service refused. Null if there is nothing to leave out, so the same
 * thing is never left out twice.
 */
export function leftOutAfterRefusal(failure: ProviderFailure, turns: readonly Turn[], config: SessionConfigured): Trouble | null {
  if (failure.cause === 'pictures' && holdPictures(turns)) return picturesLeftOut(config, failure.message)
  if (mayRefuseReasoning(failure) && holdReasoning(turns, config)) return reasoningLeftOut(config, failure.message)
  return null
}
