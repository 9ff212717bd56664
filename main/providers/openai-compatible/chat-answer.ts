import type { ModelAnswer, ProviderEvent } from '../../agent/ports/provider.ts'
import { type ContentPart, type JsonValue, NO_USAGE, type Usage } from '../../../shared/session/content.ts'
import type { StopReason } from '../../../shared/session/events.ts'
import { type AnswerReader, ended, type Step } from '../answer/answer-reader.ts'
import { withCause } from '../answer/error-in-frame.ts'
import { asFields, type Fields, listOf, optional, textOr } from '../answer/untyped-fields.ts'
import { ChatCalls } from './chat-call.ts'
import { chatEnd } from './chat-end.ts'
import { newerUsage, usageIn } from './chat-usage.ts'
import { LeadingThought } from './leading-thought.ts'
import { grownDetails, REASONING_MEMBERS, textOfDetails } from './reasoning-details.ts'

/** Reads an answer of Chat Completions, from OpenAI or a compatible server. Ids, `[DONE]`, usage and even the finish reason may be missing. */
export class ChatAnswer implements AnswerReader {
  readonly #calls = new ChatCalls()
  #id: string | null = null
  #text = ''
  readonly #leading = new LeadingThought()
  /** `field` is the member in which the reasoning is sent back; null if it is not sent back. */
  #reasoning: { readonly field: string | null; text: string } | null = null
  #details: readonly JsonValue[] = []
  #refused = false
  #stopReason: string | null = null
  /** What a gateway was told by the service behind it. */
  #nativeReason: string | null = null
  #hasChoices = false
  #usage: Usage = NO_USAGE

  take(event: unknown): Step {
    const chunk = asFields(event)
    if (chunk['error'] !== undefined && chunk['error'] !== null) return reported(chunk['error'])
    if (chunk['object'] === 'error') return reported(chunk)
    this.#id = textOr(chunk['id'], this.#id) || null
    const choice = listOf(chunk['choices'])
      .map(optional)
      .find(({ index }) => (index ?? 0) === 0)
    this.#usage = newerUsage(this.#usage, usageIn(chunk, choice ?? {}))
    if (!choice) return null
    if (choice['error'] !== undefined && choice['error'] !== null) return reported(choice['error'])
    this.#hasChoices = true
    this.#stopReason = reasonIn(choice['finish_reason']) ?? this.#stopReason
    this.#nativeReason = reasonIn(choice['native_finish_reason']) ?? this.#nativeReason
    const events = this.#grow(optional(choice['delta'] ?? choice['message']))
    return events.length === 0 ? null : { kind: 'shown', events }
  }

  /** If a server omits `[DONE]`, the finish reason marks the end. If it sends `[DONE]`, the finish reason may be missing. */
  isWhole(at: 'done' | 'end of body'): boolean {
    return at === 'done' ? this.#hasChoices : this.#stopReason !== null
  }

  answer(stopReason: StopReason = this.#unified()): ModelAnswer {
    const { thought, text } = this.#leading.rest
    const { field, text: reasoning } = this.#reasoning ?? { field: null, text: '' }
    const parts: ContentPart[] = []
    if (reasoning + thought !== '') parts.push({ kind: 'thinking', text: reasoning + thought, signature: field })
    if (this.#details.length > 0) parts.push({ kind: 'opaque', data: { reasoning_details: this.#details } })
    if (this.#text + text !== '') parts.push({ kind: 'text', text: this.#text + text })
    const end = ended(stopReason, this.#endWord())
    return { parts: [...parts, ...this.#calls.parts(this.#id)], ...end, responseId: this.#id, usage: this.#usage }
  }

  #grow(delta: Fields): readonly ProviderEvent[] {
    const refusal = textOr(delta['refusal'], '')
    this.#refused ||= refusal !== ''
    return [
      ...this.#reason(delta),
      ...this.#say(contentText(delta['content']) + refusal),
      ...piecesOfCalls(delta).flatMap((piece) => this.#call(piece)),
    ]
  }

  /** Servers send reasoning in different members. If it is in several members, the first one is used. */
  #reason(delta: Fields): readonly ProviderEvent[] {
    const pieces = listOf(delta['reasoning_details']) as readonly JsonValue[]
    this.#details = grownDetails(this.#details, pieces)
    const field = REASONING_MEMBERS.find((name) => textOr(delta[name], '') !== '') ?? null
    return this.#think(field === null ? textOfDetails(pieces) + contentThought(delta['content']) : textOr(delta[field], ''), field)
  }

  #think(text: string, field: string | null): readonly ProviderEvent[] {
    if (text === '') return []
    this.#reasoning ??= { field, text: '' }
    this.#reasoning.text += text
    return [{ kind: 'thinking', text }]
  }

  #say(piece: string): readonly ProviderEvent[] {
    if (piece === '') return []
    const { thought, text } = this.#leading.take(piece)
    this.#text += text
    return [...this.#think(thought, null), ...(text === '' ? [] : [{ kind: 'text', text } as const])]
  }

  #call(piece: unknown): readonly ProviderEvent[] {
    const before = this.#calls.all.length
    const { name, args } = this.#calls.take(asFields(piece))
    const written = (chars: number): ProviderEvent => ({ kind: 'call', toolName: name, chars })
    return [...(this.#calls.all.length > before ? [written(0)] : []), ...(args === '' ? [] : [written(args.length)])]
  }

  #unified(): StopReason {
    return this.#refused ? 'content_filter' : chatEnd(this.#endWord(), this.#calls.all.length > 0)
  }

  /** A gateway reports `stop` even if its connection broke in the middle of the text. */
  #endWord(): string | null {
    return this.#nativeReason === 'network_error' && this.#text !== '' ? this.#nativeReason : this.#stopReason
  }
}

/** Pieces of calls. The oldest servers send a single `function_call`. */
function piecesOfCalls(delta: Fields): readonly unknown[] {
  const old = delta['function_call']
  return old !== null && typeof old === 'object' ? [{ function: old }] : listOf(delta['tool_calls'])
}

/** Before the end, some servers send an empty reason or the text "null". */
function reasonIn(reason: unknown): string | null {
  return typeof reason === 'string' && reason !== '' && reason !== 'null' ? reason : null
}

/** The text of a string or a list of parts. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => textOr(optional(part)['text'], ''))
    .join('')
}

/** The reasoning parts of a list (Mistral): each is a string or a list of texts. */
function contentThought(content: unknown): string {
  return listOf(content)
    .map((part) => contentText(optional(part)['thinking']))
    .join('')
}

/** Usually `code` is the name of an error. If the server forwards an error of another service, `code` is that error's HTTP status. */
function reported(error: unknown): Step {
  if (typeof error === 'string') return { kind: 'reported', error: { type: null, words: error } }
  const { code, type, message } = optional(error)
  const status = typeof code === 'number' ? code : null
  return {
    kind: 'reported',
    error: { type: textOr(code, textOr(type, null)), words: withCause(textOr(message, ''), error), status, body: JSON.stringify(error) },
  }
}
