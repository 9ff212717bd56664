import type { DurableEvent, Trouble } from '../../../shared/session/events.ts'
import type { LoggedTurn } from '../../../shared/session/turns.ts'
import { newId } from '../../../shared/lib/ids.ts'
import type { AnswerShape, ProviderFailure } from '../ports/provider.ts'

/** A request's last answer is asked for once more in this form, when its work is done and it was answered freely (L-27). */
export interface FinalAnswer {
  readonly shape: AnswerShape
  /** How it is asked for, in the user's role. */
  readonly question: string
}

/** Whether it has been asked for since the person's newest message: told from the conversation, so that a restart changes nothing. */
export function isFinalAsked({ question }: FinalAnswer, turns: readonly LoggedTurn[]): boolean {
  const begin = turns.findLastIndex(({ kind }) => kind === 'user')
  return turns.slice(begin + 1).some((turn) => turn.kind === 'steering' && turn.by === 'loop' && turn.content === question)
}

export function finalQuestion({ question }: FinalAnswer): DurableEvent {
  return { kind: 'STEERING_INJECTED', inputId: newId('in'), text: question, by: 'loop' }
}

/** Whatever keeps the form from coming, the answer that was given freely counts. */
export function withoutForm({ message }: ProviderFailure): Trouble {
  return {
    code: 'no_object',
    what: `The answer did not come in the requested form: ${message}`,
    kept: 'The same answer as plain text.',
    todo: 'Nothing. It counts as it is.',
  }
}
