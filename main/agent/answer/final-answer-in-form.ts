import type { DurableEvent, Trouble } from '../../../shared/session/events.ts'
import type { LoggedTurn } from '../../../shared/session/conversation-turns.ts'
import { newId } from '../../../shared/lib/ids.ts'
import type { AnswerShape, ProviderFailure } from '../ports/provider.ts'

/**
 * The form of the final answer. When the work is done and the model has answered freely, the answer is requested once more in this form.
 */
export interface FinalAnswerForm {
  readonly shape: AnswerShape
  /** The text of the request for the final answer in this form. It is sent in the user's role. */
  readonly question: string
}

/**
 * Whether the final answer in this form was requested after the user's newest message. This is read from the conversation, so that a
 * restart changes nothing.
 */
export function isFinalAsked({ question }: FinalAnswerForm, turns: readonly LoggedTurn[]): boolean {
  const begin = turns.findLastIndex(({ kind }) => kind === 'user')
  return turns.slice(begin + 1).some((turn) => turn.kind === 'steering' && turn.by === 'loop' && turn.content === question)
}

/** Whether nothing but the final answer in this form is missing. */
export function isHandInNext(form: FinalAnswerForm | undefined, turns: readonly LoggedTurn[]): boolean {
  const last = turns.at(-1)
  return form !== undefined && last !== undefined && isFinalAsked(form, [last])
}

/** Undefined if the next answer is free text. */
export function shapeNow(form: FinalAnswerForm | undefined, turns: readonly LoggedTurn[]): AnswerShape | undefined {
  return form && isFinalAsked(form, turns) ? form.shape : undefined
}

export function finalQuestion({ question }: FinalAnswerForm): DurableEvent {
  return { kind: 'STEERING_INJECTED', inputId: newId('in'), text: question, by: 'loop' }
}

/** If the service cannot answer in the requested form, the free-text answer is used. */
export function withoutForm({ message }: ProviderFailure): Trouble {
  return {
    code: 'no_object',
    what: `The answer did not come in the requested form: ${message}`,
    kept: 'The answer is kept as plain text.',
    todo: 'No action needed. The plain text counts as the answer.',
  }
}
