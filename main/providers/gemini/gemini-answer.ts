import type { ModelAnswer, ProviderEvent } from '../../agent/ports/provider.ts'
import { type ContentPart, type JsonValue, NO_USAGE, type Usage } from '../../../shared/session/content.ts'
import type { StopReason } from '../../../shared/session/events.ts'
import { type AnswerReader, callId, ended, type Step } from '../answer/answer-reader.ts'
import { asFields, countOr, type Fields, listOf, optional, textOr } from '../answer/untyped-fields.ts'
import { ownId } from './gemini-body.ts'

/**
 * A part of the answer. Further text is appended to the last part unless it has a signature, because a signature is valid only for its own
 * part.
 */
type Block =
  | { readonly kind: 'text' | 'thinking'; text: string; readonly signature: string | null }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly args: string; readonly signature: string | null }
  | { readonly kind: 'opaque'; readonly data: JsonValue }

/** Reads Gemini's chunks. Calls arrive complete, more parts may follow the finish reason, and only the end of the body ends an answer. */
export class GeminiAnswer implements AnswerReader {
  readonly #blocks: Block[] = []
  #id: string | null = null
  #stopReason: string | null = null
  #blocked = false
  #usage: Usage = NO_USAGE

  take(event: unknown): Step {
    const chunk = asFields(event)
    if (chunk['error'] !== undefined && chunk['error'] !== null) return reported(chunk['error'])
    this.#id = textOr(chunk['responseId'], this.#id)
    this.#count(optional(chunk['usageMetadata']))
    this.#blocked ||= typeof optional(chunk['promptFeedback'])['blockReason'] === 'string'
    const candidate = optional(listOf(chunk['candidates'])[0])
    this.#stopReason = textOr(candidate['finishReason'], null) || this.#stopReason
    const events = listOf(optional(candidate['content'])['parts']).flatMap((part) => this.#add(asFields(part)))
    if (isBadCall(this.#stopReason)) return { kind: 'reported', error: badCall(this.#stopReason, candidate['finishMessage']) }
    return events.length === 0 ? null : { kind: 'shown', events }
  }

  isWhole(at: 'done' | 'end of body'): boolean {
    return at === 'end of body' && (this.#stopReason !== null || this.#blocked)
  }

  answer(stopReason: StopReason = this.#unified()): ModelAnswer {
    const parts = this.#blocks.flatMap((block, index) => partOf(block, ownId(this.#id, index)))
    return { parts, ...ended(stopReason, this.#stopReason), responseId: this.#id, usage: this.#usage }
  }

  #add(part: Fields): readonly ProviderEvent[] {
    const signature = textOr(part['thoughtSignature'], null) || null
    const call = part['functionCall']
    if (call !== undefined && call !== null) {
      const fields = asFields(call)
      // A call without a name contains more arguments for the previous call. They are ignored, and the previous call counts as incomplete.
      if (fields['name'] === undefined && this.#blocks.at(-1)?.kind === 'call') return []
      const block = {
        kind: 'call',
        id: textOr(fields['id'], ''),
        name: textOr(fields['name'], ''),
        args: argsText(fields),
        signature,
      } as const
      this.#blocks.push(block)
      const written = (chars: number) => ({ kind: 'call', toolName: block.name, chars }) as const
      return block.args === '' ? [written(0)] : [written(0), written(block.args.length)]
    }
    const text = part['text']
    if (typeof text !== 'string') {
      if (Object.keys(part).some((name) => name !== 'thoughtSignature'))
        this.#blocks.push({ kind: 'opaque', data: part as { readonly [key: string]: JsonValue } })
      else if (signature !== null) this.#blocks.push({ kind: 'text', text: '', signature })
      return []
    }
    const kind = part['thought'] === true ? 'thinking' : 'text'
    const last = this.#blocks.at(-1)
    if (last && last.kind === kind && last.signature === null && signature === null) last.text += text
    else if (text !== '' || signature !== null) this.#blocks.push({ kind, text, signature })
    return text === '' ? [] : [{ kind, text }]
  }

  /** The prompt count includes cache reads. Reasoning is counted separately from the answer. Missing figures keep their last value. */
  #count(usage: Fields): void {
    const before = this.#usage
    const cacheRead = countOr(usage['cachedContentTokenCount'], before.cacheRead)
    const prompt = countOr(usage['promptTokenCount'], before.input + before.cacheRead)
    const reasoning = countOr(usage['thoughtsTokenCount'], before.reasoning)
    const written = countOr(usage['candidatesTokenCount'], before.output - before.reasoning)
    this.#usage = {
      input: Math.max(0, prompt - cacheRead) + countOr(usage['toolUsePromptTokenCount'], 0),
      output: written + reasoning,
      cacheRead: Math.min(cacheRead, prompt),
      cacheWrite: 0,
      reasoning,
    }
  }

  #unified(): StopReason {
    if (this.#blocked) return 'content_filter'
    switch (this.#stopReason) {
      case 'STOP':
        return this.#blocks.some(({ kind }) => kind === 'call') ? 'tool_calls' : 'stop'
      case 'MAX_TOKENS':
        return 'length'
      case 'SAFETY':
      case 'RECITATION':
      case 'LANGUAGE':
      case 'BLOCKLIST':
      case 'PROHIBITED_CONTENT':
      case 'SPII':
      case 'IMAGE_SAFETY':
      case 'IMAGE_PROHIBITED_CONTENT':
      case 'IMAGE_RECITATION':
        return 'content_filter'
      default:
        return 'other'
    }
  }
}

/**
 * Returns a call's arguments as text. Empty if there are none, so that an answer that broke off before the arguments is noticed. If the
 * service says that the arguments are incomplete, the text is cut so that it is not valid JSON.
 */
function argsText({ args, partialArgs, willContinue }: Fields): string {
  if (partialArgs !== undefined || willContinue === true) return JSON.stringify(args ?? {}).slice(0, -1)
  return args === undefined ? '' : JSON.stringify(args)
}

/**
 * Whether this finish reason means that the service could not parse the model's call. The service returns no part of the call. A retry
 * helps.
 */
function isBadCall(reason: string | null): reason is string {
  return reason === 'MALFORMED_FUNCTION_CALL' || reason === 'UNEXPECTED_TOOL_CALL' || reason === 'MALFORMED_RESPONSE'
}

function badCall(reason: string, words: unknown) {
  return { type: BAD_CALL, words: textOr(words, '') || `the model wrote a call that cannot be read (${reason})` }
}

/** Our own error type for such a call. `failures.ts` knows it. */
const BAD_CALL = 'malformed_call'

function partOf(block: Block, otherwise: string): readonly ContentPart[] {
  switch (block.kind) {
    case 'text':
      return [{ kind: 'text', text: block.text, ...(block.signature === null ? {} : { signature: block.signature }) }]
    case 'thinking':
      return [{ kind: 'thinking', text: block.text, signature: block.signature }]
    case 'call': {
      const { id, name, args, signature } = block
      const call = { kind: 'tool_call', toolCallId: callId(id, otherwise), toolName: name, argsText: args } as const
      return [signature === null ? call : { ...call, signature }]
    }
    case 'opaque':
      return [{ kind: 'opaque', data: block.data }]
  }
}

function reported(error: unknown): Step {
  if (typeof error === 'string') return { kind: 'reported', error: { type: null, words: error } }
  const { code, status, message } = optional(error)
  return {
    kind: 'reported',
    error: {
      type: textOr(status, textOr(code, null)),
      words: textOr(message, ''),
      status: typeof code === 'number' ? code : null,
      body: JSON.stringify(error),
    },
  }
}
