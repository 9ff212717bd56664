import type { ModelAnswer, ProviderEvent } from '../../agent/ports/provider.ts'
import { type ContentPart, type JsonValue, NO_USAGE, type Usage } from '../../../shared/session/content.ts'
import type { StopReason } from '../../../shared/session/events.ts'
import type { AnswerReader, Step } from '../answer/answer-reader.ts'
import { ended } from '../answer/ended.ts'
import { asFields, countOr, type Fields, listOf, optional, textOr } from '../answer/fields.ts'
import { ChatCalls } from './chat-call.ts'
import { REASONING_MEMBERS } from './reasoning-members.ts'
import { grownDetails } from './reasoning-details.ts'

/**
 * Chat Completions, as OpenAI has it and as the many have it that imitate it: ids, `[DONE]`, usage and even the reason why an answer
 * stopped may be missing.
 */
export class ChatAnswer implements AnswerReader {
  readonly #calls = new ChatCalls()
  #id: string | null = null
  #text = ''
  #reasoning: { readonly field: string; text: string } | null = null
  #details: readonly JsonValue[] = []
  #refused = false
  #stopReason: string | null = null
  #hasChoices = false
  #usage: Usage = NO_USAGE

  take(event: unknown): Step {
    const chunk = asFields(event)
    if (chunk['error'] !== undefined && chunk['error'] !== null) return reported(chunk['error'])
    if (chunk['object'] === 'error') return reported(chunk)
    this.#id = textOr(chunk['id'], this.#id) || null
    this.#count(optional(chunk['usage']))
    const choice = listOf(chunk['choices'])
      .map(optional)
      .find(({ index = 0 }) => index === 0)
    if (!choice) return null
    if (choice['error'] !== undefined && choice['error'] !== null) return reported(choice['error'])
    this.#hasChoices = true
    this.#stopReason = reasonIn(choice['finish_reason']) ?? this.#stopReason
    const events = this.#grow(optional(choice['delta'] ?? choice['message']))
    return events.length === 0 ? null : { kind: 'shown', events }
  }

  /** Servers leave `[DONE]` out: then a reason why it stopped is the end. With it, the reason may be missing. */
  isWhole(at: 'done' | 'end of body'): boolean {
    return at === 'done' ? this.#hasChoices : this.#stopReason !== null
  }

  answer(stopReason: StopReason = this.#unified()): ModelAnswer {
    const parts: ContentPart[] = []
    if (this.#reasoning) {
      const { field, text } = this.#reasoning
      parts.push({ kind: 'thinking', text, signature: field })
    }
    if (this.#details.length > 0) parts.push({ kind: 'opaque', data: { reasoning_details: this.#details } })
    if (this.#text !== '') parts.push({ kind: 'text', text: this.#text })
    const end = ended(stopReason, this.#stopReason)
    return { parts: [...parts, ...this.#calls.parts(this.#id)], ...end, responseId: this.#id, usage: this.#usage }
  }

  #grow(delta: Fields): readonly ProviderEvent[] {
    const events: ProviderEvent[] = []
    const field = REASONING_MEMBERS.find((name) => textOr(delta[name], '') !== '')
    if (field) {
      const text = textOr(delta[field], '')
      this.#reasoning ??= { field, text: '' }
      this.#reasoning.text += text
      events.push({ kind: 'thinking', text })
    }
    this.#details = grownDetails(this.#details, listOf(delta['reasoning_details']) as readonly JsonValue[])
    const refusal = textOr(delta['refusal'], '')
    this.#refused ||= refusal !== ''
    const text = contentText(delta['content']) + refusal
    if (text !== '') {
      this.#text += text
      events.push({ kind: 'text', text })
    }
    for (const piece of listOf(delta['tool_calls'])) {
      const before = this.#calls.all.length
      const call = this.#calls.take(asFields(piece))
      if (this.#calls.all.length > before) events.push({ kind: 'call', toolName: call.name, chars: 0 })
      if (call.args === '') continue
      events.push({ kind: 'call', toolName: call.name, chars: call.args.length })
    }
    return events
  }

  /** `prompt_tokens` holds what the cache gave and took, `completion_tokens` the reasoning. What is not given stays as it was. */
  #count(usage: Fields): void {
    if (usage['prompt_tokens'] === undefined && usage['completion_tokens'] === undefined) return
    const [prompt, completion] = [optional(usage['prompt_tokens_details']), optional(usage['completion_tokens_details'])]
    const cacheRead = countOr(prompt['cached_tokens'], countOr(usage['prompt_cache_hit_tokens'], this.#usage.cacheRead))
    const cacheWrite = countOr(prompt['cache_write_tokens'], this.#usage.cacheWrite)
    const all = this.#usage.input + this.#usage.cacheRead + this.#usage.cacheWrite
    this.#usage = {
      input: Math.max(0, countOr(usage['prompt_tokens'], all) - cacheRead - cacheWrite),
      output: countOr(usage['completion_tokens'], this.#usage.output),
      cacheRead,
      cacheWrite,
      reasoning: countOr(completion['reasoning_tokens'], this.#usage.reasoning),
    }
  }

  #unified(): StopReason {
    if (this.#refused) return 'content_filter'
    switch (this.#stopReason?.toLowerCase()) {
      case 'length':
      case 'max_tokens':
      case 'model_length':
        return 'length'
      case 'content_filter':
        return 'content_filter'
      case 'error':
        return 'error'
      case undefined:
        // `[DONE]` says that nothing comes after the text; whether the model had come to the end of its calls it does not say.
        return this.#calls.all.length > 0 ? 'other' : 'stop'
      case 'stop':
      case 'tool_calls':
      case 'tool_call':
      case 'function_call':
      case 'complete':
      case 'end_turn':
      case 'eos':
      case 'eos_token':
      case 'stop_sequence':
        // Servers say `stop` to calls, and `tool_calls` where there is none.
        return this.#calls.all.length > 0 ? 'tool_calls' : 'stop'
      default:
        return 'other'
    }
  }
}

/** As long as it goes on, some servers give an empty reason, or the word for none. */
function reasonIn(reason: unknown): string | null {
  return typeof reason === 'string' && reason !== '' && reason !== 'null' ? reason : null
}

/** Text, or a list of parts of which some are text. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => textOr(optional(part)['text'], ''))
    .join('')
}

/** `code` is a name, or, with servers that pass on others' errors, an HTTP status. */
function reported(error: unknown): Step {
  if (typeof error === 'string') return { kind: 'reported', error: { type: null, words: error } }
  const { code, type, message } = optional(error)
  const status = typeof code === 'number' ? code : null
  return {
    kind: 'reported',
    error: { type: textOr(code, textOr(type, null)), words: textOr(message, ''), status, body: JSON.stringify(error) },
  }
}
