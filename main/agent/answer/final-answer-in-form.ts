import type { DurableEvent, Trouble } from '../../../shared/session/events.ts'
import type { LoggedTurn } from '../../../shared/session/turns.ts'
import { newId } from '../../../shared/lib/ids.ts'
import type { AnswerShape, ProviderFailure } from '../ports/provider.ts'

/** After the work is done and answered freely, the answer is requested once more in this form. */
export interface FinalAnswerForm {
  readonly shape: AnswerShape
  /** The request for it, in the user's role. */
  readonly question: string
}

/** Whether it was requested since the person's newest message; read from the conversation, so that a restart changes nothing. */
export function isFinalAsked({ question }: FinalAnswerForm, turns: readonly LoggedTurn[]): boolean {
  const begin = turns.findLastIndex(({ kind }) => kind === 'user')
  return turns.slice(begin + 1).some((turn) => turn.kind === 'steering' && turn.by === 'loop' && turn.content === question)
}

export function finalQuestion({ question }: FinalAnswerForm): DurableEvent {
  return { kind: 'STEERING_INJECTED', inputId: newId('in'), text: question, by: 'loop' }
}

/** If the form cannot be had, the free answer counts. */
export function withoutForm({ message }: ProviderFailure): Trouble {
  return {
    code: 'no_object',
    what: `The answer did not come in the requested form: ${message}`,
    kept: 'The same answer as plain text.',
    todo: 'Nothing. It counts as it is.',
  }
}
