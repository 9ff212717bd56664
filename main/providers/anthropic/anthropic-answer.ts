import type { ModelAnswer } from '../../agent/ports/provider.ts'
import { type ContentPart, type JsonValue, NO_USAGE, type Usage } from '../../../shared/session/content.ts'
import type { StopReason } from '../../../shared/session/events.ts'
import { type AnswerReader, callId, ended, MalformedStream, shown, type Step } from '../answer/answer-reader.ts'
import { asFields, asText, countOr, type Fields, listOf, optional, textOr } from '../answer/untyped-fields.ts'
import { untypedError } from '../answer/error-in-frame.ts'

type Block =
  | { readonly kind: 'text'; text: string }
  | { readonly kind: 'thinking'; text: string; signature: string | null }
  | { readonly kind: 'opaque'; readonly data: JsonValue }
  /** `whole` contains the arguments that the event at the start of the block contained. It is used only if no argument text follows. */
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly whole: string; args: string }

/** Reads an answer of Anthropic's Messages API. A second `message_start` discards everything before it. */
export class AnthropicAnswer implements AnswerReader {
  readonly #blocks = new Map<number, Block>()
  #started = false
  #id: string | null = null
  #stopReason: unknown = null
  #usage: Usage = NO_USAGE

  take(event: unknown): Step {
    const fields = asFields(event)
    switch (fields['type']) {
      case 'message_start':
        this.#begin(asFields(fields['message']))
        return null
      case 'content_block_start':
        return this.#open(indexOf(fields), asFields(fields['content_block']))
      case 'content_block_delta':
        return this.#grow(indexOf(fields), asFields(fields['delta']))
      case 'message_delta':
        this.#stopReason = optional(fields['delta'])['stop_reason'] || this.#stopReason
        this.#count(optional(fields['usage']))
        return null
      case 'message_stop':
        if (!this.#started) throw new MalformedStream('it ended before it started')
        return { kind: 'complete' }
      case 'error': {
        const { type, message } = optional(fields['error'])
        return { kind: 'reported', error: { type: textOr(type, null), words: textOr(message, '') } }
      }
      default:
        return untypedError(fields)
    }
  }

  /** Only `message_stop` ends an answer. */
  isWhole(): boolean {
    return false
  }

  answer(stopReason: StopReason = stopReasonOf(this.#stopReason)): ModelAnswer {
    const blocks = [...this.#blocks].sort(([a], [b]) => a - b)
    const parts = blocks.flatMap(([index, block]) => partOf(block, `${this.#id ?? 'call'}_${index}`))
    return { parts, ...ended(stopReason, this.#stopReason), responseId: this.#id, usage: this.#usage }
  }

  #begin(message: Fields): void {
    this.#started = true
    this.#blocks.clear()
    this.#usage = NO_USAGE
    this.#id = textOr(message['id'], null)
    this.#stopReason = message['stop_reason'] ?? null
    this.#count(optional(message['usage']))
    for (const [index, block] of listOf(message['content']).entries()) this.#blocks.set(index, blockOf(asFields(block)))
  }

  #open(index: number, content: Fields): Step {
    const block = blockOf(content)
    this.#blocks.set(index, block)
    if (block.kind === 'call') return shown({ kind: 'call', toolName: block.name, chars: 0 })
    if (block.kind === 'opaque' || block.text === '') return null
    return shown({ kind: block.kind, text: block.text })
  }

  #grow(index: number, delta: Fields): Step {
    const block = this.#blocks.get(index)
    switch (delta['type']) {
      case 'text_delta': {
        const text = asText(delta['text'])
        if (block?.kind !== 'text') throw new MalformedStream('text arrived outside a text block')
        block.text += text
        return text === '' ? null : shown({ kind: 'text', text })
      }
      case 'thinking_delta': {
        const text = asText(delta['thinking'])
        if (block?.kind !== 'thinking') throw new MalformedStream('reasoning arrived outside its block')
        block.text += text
        return text === '' ? null : shown({ kind: 'thinking', text })
      }
      case 'signature_delta':
        if (block?.kind !== 'thinking') throw new MalformedStream('a signature arrived outside its block')
        block.signature = (block.signature ?? '') + asText(delta['signature'])
        return null
      case 'input_json_delta':
        if (block?.kind === 'opaque') return null
        if (block?.kind !== 'call') throw new MalformedStream('arguments arrived outside a call')
        if (asText(delta['partial_json']) === '') return null
        block.args += asText(delta['partial_json'])
        return shown({ kind: 'call', toolName: block.name, chars: block.args.length })
      default:
        return null
    }
  }

  /** `input_tokens` excludes cache reads and writes, as our count does. Missing figures keep their last value. */
  #count(usage: Fields): void {
    const before = this.#usage
    const hour = countOr(optional(usage['cache_creation'])['ephemeral_1h_input_tokens'], before.cacheWriteHour ?? 0)
    this.#usage = {
      input: countOr(usage['input_tokens'], before.input),
      output: countOr(usage['output_tokens'], before.output),
      cacheRead: countOr(usage['cache_read_input_tokens'], before.cacheRead),
      cacheWrite: countOr(usage['cache_creation_input_tokens'], before.cacheWrite),
      ...(hour > 0 && { cacheWriteHour: hour }),
      reasoning: countOr(optional(usage['output_tokens_details'])['thinking_tokens'], before.reasoning),
    }
  }
}

function blockOf(content: Fields): Block {
  switch (content['type']) {
    case 'text':
      return { kind: 'text', text: textOr(content['text'], '') }
    case 'thinking':
      return { kind: 'thinking', text: textOr(content['thinking'], ''), signature: textOr(content['signature'], null) || null }
    case 'tool_use': {
      const { input } = content
      const whole = typeof input === 'string' ? input : JSON.stringify(input ?? {})
      return {
        kind: 'call',
        id: textOr(content['id'], ''),
        name: textOr(content['name'], ''),
        whole: whole === '{}' ? '' : whole,
        args: '',
      }
    }
    default:
      return { kind: 'opaque', data: content as { readonly [key: string]: JsonValue } }
  }
}

/** Empty text is dropped, because it must not be sent back. A call without a usable id gets a new id. */
function partOf(block: Block, otherwise: string): readonly ContentPart[] {
  switch (block.kind) {
    case 'text':
      return block.text === '' ? [] : [{ kind: 'text', text: block.text }]
    case 'thinking':
      return [{ kind: 'thinking', text: block.text, signature: block.signature }]
    case 'opaque':
      return [{ kind: 'opaque', data: block.data }]
    case 'call': {
      const toolCallId = callId(block.id, otherwise)
      return [{ kind: 'tool_call', toolCallId, toolName: block.name, argsText: block.args === '' ? block.whole : block.args }]
    }
  }
}

function stopReasonOf(reason: unknown): StopReason {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
      return 'stop'
    case 'tool_use':
      return 'tool_calls'
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length'
    case 'refusal':
      return 'content_filter'
    case 'pause_turn':
      return 'pause'
    default:
      return 'other'
  }
}

function indexOf(fields: Fields): number {
  const index = fields['index']
  if (typeof index !== 'number') throw new MalformedStream('a part has no index')
  return index
}
