import type { ContentPart, JsonValue, Usage } from '../../../shared/session/content.ts'
import { callId } from '../answer/answer-reader.ts'
import { countOr, type Fields, listOf, optional, textOr } from '../answer/untyped-fields.ts'

/** An item of a response as received so far. Its texts are stored by their index in the item. */
export type Item =
  | { readonly kind: 'message'; readonly texts: Map<number, string>; readonly phase: string | null; readonly refused: boolean }
  /** `whole` is the item as the service sent it when it was finished; null before that. */
  | { readonly kind: 'reasoning'; readonly texts: Map<number, string>; readonly whole: JsonValue | null }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; args: string; readonly freeForm?: { readonly isWhole: boolean } }
  | { readonly kind: 'opaque'; readonly data: JsonValue }

/** This number is added to the indexes of raw reasoning, so that it is sorted after the summaries. */
export const RAW_REASONING = 1_000_000

/**
 * `isDone` means that the stream has finished this item. Only a finished reasoning item is kept as a complete item that can be sent back.
 */
export function itemOf(fields: Fields, isDone: boolean): Item {
  const data = fields as { readonly [key: string]: JsonValue }
  switch (fields['type']) {
    case 'message': {
      const content = listOf(fields['content']).map(optional)
      const texts = content.map((part, index) => [index, textOr(part['text'], textOr(part['refusal'], ''))] as const)
      return {
        kind: 'message',
        texts: new Map(texts),
        phase: textOr(fields['phase'], null),
        refused: content.some(({ type }) => type === 'refusal'),
      }
    }
    case 'reasoning': {
      const summaries = listOf(fields['summary']).map((part, index) => [index, textOr(optional(part)['text'], '')] as const)
      const raw = listOf(fields['content']).map((part, index) => [RAW_REASONING + index, textOr(optional(part)['text'], '')] as const)
      return { kind: 'reasoning', texts: new Map([...summaries, ...raw]), whole: isDone ? data : null }
    }
    case 'function_call':
      return {
        kind: 'call',
        id: textOr(fields['call_id'], textOr(fields['id'], '')),
        name: textOr(fields['name'], ''),
        args: textOr(fields['arguments'], ''),
      }
    case 'custom_tool_call':
      return {
        kind: 'call',
        id: textOr(fields['call_id'], textOr(fields['id'], '')),
        name: textOr(fields['name'], ''),
        args: textOr(fields['input'], ''),
        freeForm: { isWhole: isDone && fields['status'] !== 'incomplete' },
      }
    default:
      return { kind: 'opaque', data }
  }
}

/** All text of a message or of reasoning, in order. */
export function itemText(item: Item): string {
  if (item.kind !== 'message' && item.kind !== 'reasoning') return ''
  const texts = [...item.texts].sort(([a], [b]) => a - b).map(([, text]) => text)
  return item.kind === 'message' ? texts.join('') : texts.filter((text) => text !== '').join('\n\n')
}

/** The parts of an item, without empty text. The signature of a text part is the `phase`, which the service expects to be sent back. */
export function partsOf(item: Item, otherwise: string): readonly ContentPart[] {
  switch (item.kind) {
    case 'message': {
      const text = itemText(item)
      return text === '' ? [] : [{ kind: 'text', text, ...(item.phase === null ? {} : { signature: item.phase }) }]
    }
    case 'reasoning': {
      const text = itemText(item)
      if (text === '' && item.whole === null) return []
      return [{ kind: 'thinking', text, signature: null, ...(item.whole === null ? {} : { item: item.whole }) }]
    }
    case 'call':
      return [
        {
          kind: 'tool_call',
          toolCallId: callId(item.id, otherwise),
          toolName: item.name,
          ...(item.freeForm ? { argsText: freeArguments(item.args, item.freeForm.isWhole), freeForm: true } : { argsText: item.args }),
        },
      ]
    case 'opaque':
      return [{ kind: 'opaque', data: item.data }]
  }
}

/** Plain text as the arguments of a call. If the text was cut off, the result is not valid JSON, so the call is not executed. */
function freeArguments(text: string, isWhole: boolean): string {
  const json = JSON.stringify({ input: text })
  return isWhole ? json : json.slice(0, -CLOSING.length)
}

const CLOSING = '"}'

/** The inverse of `freeArguments`. */
export function freeText(argsText: string): string {
  const read = (json: string): string => (JSON.parse(json) as { readonly input: string }).input
  try {
    return read(argsText)
  } catch {
    return read(argsText + CLOSING)
  }
}

/** OpenAI's `input_tokens` includes cache reads and writes, but our count does not. Both count reasoning as output. */
export function responsesUsage(usage: Fields): Usage {
  const input = optional(usage['input_tokens_details'])
  const output = optional(usage['output_tokens_details'])
  const cacheRead = countOr(input['cached_tokens'], 0)
  const cacheWrite = countOr(input['cache_write_tokens'], 0)
  return {
    input: Math.max(0, countOr(usage['input_tokens'], 0) - cacheRead - cacheWrite),
    output: countOr(usage['output_tokens'], 0),
    cacheRead,
    cacheWrite,
    reasoning: countOr(output['reasoning_tokens'], 0),
  }
}
