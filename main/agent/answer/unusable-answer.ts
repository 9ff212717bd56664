import { newId } from '../../../shared/lib/ids.ts'
import { type ContentPart, partsText } from '../../../shared/session/content.ts'
import type { LoggedTurn } from '../../../shared/session/conversation-turns.ts'
import type { DurableEvent, Trouble } from '../../../shared/session/events.ts'
import type { ModelAnswer } from '../ports/provider.ts'
import { type AnswerFacts, answerEvents, brokenAnswerEvents } from './events-from-answer.ts'

/**
 * Why an answer without calls cannot be the end of the work. `empty`: it has no text. `call_as_text`: its text ends with a call that the
 * service did not recognize. `no_call`: the service says that the model made a call, but there is none.
 */
type Flaw = 'empty' | 'call_as_text' | 'no_call'

export interface UnusableAnswer {
  readonly events: readonly DurableEvent[]
  /** Why the turn ends after these events. Null if the model is asked again. */
  readonly trouble: Trouble | null
}

/**
 * Returns what follows an answer that ended normally but cannot be the end of the work, or null if it can. The model is asked again with a
 * note, but only once until it makes a call or says something. `turns`: the conversation before the answer. `isContinued`: the service
 * paused the answer, so its first part is at the end of the conversation.
 */
export function unusableAnswer(
  answer: ModelAnswer,
  facts: AnswerFacts,
  turns: readonly LoggedTurn[],
  isContinued: boolean,
): UnusableAnswer | null {
  const parts = [...(isContinued ? partsAtEnd(turns) : []), ...answer.parts]
  const flaw = flawOf(parts, answer.stopReason === 'tool_calls')
  if (flaw === null) return null
  // Services refuse messages without content, so an empty answer is stored but not sent back.
  const events = flaw === 'empty' ? brokenAnswerEvents(answer, facts) : answerEvents(answer, facts)
  if (!wasAskedAgain(turns)) {
    const note: DurableEvent = { kind: 'STEERING_INJECTED', inputId: newId('in'), text: NOTES[flaw], by: 'loop' }
    return { events: [...events, note], trouble: null }
  }
  // Some servers always say that there was a call. The text counts as the answer if the model does not add a call.
  if (flaw === 'no_call') return null
  return { events, trouble: TROUBLES[flaw] }
}

function flawOf(parts: readonly ContentPart[], saysCall: boolean): Flaw | null {
  const text = partsText(parts).trim()
  if (text === '') return 'empty'
  if (endsWithCall(text)) return 'call_as_text'
  return saysCall ? 'no_call' : null
}

/** The beginnings of calls in the templates of open models: Qwen and Hermes, Qwen Coder, Mistral, DeepSeek, Kimi, Llama, Claude. */
const CALL_BEGINS = new RegExp(
  [
    '<tool_calls?>',
    '<function=[\\w.-]+>',
    '\\[TOOL_CALLS\\]',
    '<[|｜]tool[▁_]calls?[▁_]begin[|｜]>',
    '<[|｜]tool_calls_section_begin[|｜]>',
    '<\\|python_tag\\|>',
    '<function_calls>',
  ]
    .map((begin) => `^\\s*${begin}`)
    .join('|'),
  'mu',
)

/** Whether the text ends with a call. A call in a code block or within a sentence is an example, not a call. */
function endsWithCall(text: string): boolean {
  const outsideCode = text.replace(/^\s*(```|~~~)[\s\S]*?^\s*\1[^\n]*$/gmu, '')
  const begin = outsideCode.search(CALL_BEGINS)
  return begin >= 0 && /[>\]}]\s*$/u.test(outsideCode)
}

function partsAtEnd(turns: readonly LoggedTurn[]): readonly ContentPart[] {
  const begin = turns.findLastIndex(({ kind }) => kind !== 'assistant') + 1
  return turns.slice(begin).flatMap((turn) => (turn.kind === 'assistant' ? turn.content : []))
}

/** Read from the conversation, so that a restart changes nothing. */
function wasAskedAgain(turns: readonly LoggedTurn[]): boolean {
  const note = turns.findLastIndex((turn) => isByLoop(turn) && Object.values(NOTES).some((text) => text === turn.content))
  if (note < 0) return false
  return turns.slice(note + 1).every((turn) => isByLoop(turn) || (turn.kind === 'assistant' && flawOf(turn.content, false) !== null))
}

function isByLoop(turn: LoggedTurn): turn is Extract<LoggedTurn, { kind: 'steering' }> {
  return turn.kind === 'steering' && turn.by === 'loop'
}

const NOTES: Readonly<Record<Flaw, string>> = {
  empty:
    'Your last answer had no text and no tool call. Go on with the work. If the work is done, say so in a short answer. If you cannot go on, say why.',
  call_as_text:
    'Your last answer ended with a tool call written as text, which was not run. Call the tool in the way the service provides, or answer in plain words.',
  no_call:
    'Your last answer was marked as a tool call, but contained none. If a step is missing, call the tool now. If the work is done, say so in a short answer.',
}

const TROUBLES: Readonly<Record<Exclude<Flaw, 'no_call'>, Trouble>> = {
  empty: {
    code: 'empty_answer',
    what: 'The model answered twice without any text or tool call, so it is unknown whether the work is done.',
    kept: 'Everything done so far is kept.',
    todo: 'Check what is done, then resume, or choose another model.',
  },
  call_as_text: {
    code: 'call_as_text',
    what: 'The model wrote a tool call as text twice, so the call was not run.',
    kept: 'Everything done so far and the text of the answers are kept.',
    todo: 'Resume, or choose another model. A local server may need another chat template or the tool call parser of this model.',
  },
}
