import type { ContentPart, JsonValue, Usage } from '../../../shared/session/content.ts'
import { callId } from '../answer/answer-reader.ts'
import { countOr, type Fields, listOf, optional, textOr } from '../answer/fields.ts'

/** An item of a response as far as it has come. Texts are keyed by their place within it. */
export type Item =
  | { readonly kind: 'message'; readonly texts: Map<number, string>; readonly phase: string | null; readonly refused: boolean }
  /** `whole` is the finished item as it came. */
  | { readonly kind: 'reasoning'; readonly texts: Map<number, string>; readonly whole: JsonValue | null }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; args: string; readonly freeForm?: { readonly isWhole: boolean } }
  | { readonly kind: 'opaque'; readonly data: JsonValue }

/** Raw reasoning stands behind its summaries. */
export const RAW_REASONING = 1_000_000

/** `isDone`: nothing more comes of this item, so that it can go back as it is. */
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
export function textOf(item: Item): string {
  if (item.kind !== 'message' && item.kind !== 'reasoning') return ''
  const texts = [...item.texts].sort(([a], [b]) => a - b).map(([, text]) => text)
  return item.kind === 'message' ? texts.join('') : texts.filter((text) => text !== '').join('\n\n')
}

/** Empty text is none. A text part carries the `phase` that this vendor wants back with it as its signature. */
export function partsOf(item: Item, otherwise: string): readonly ContentPart[] {
  switch (item.kind) {
    case 'message': {
      const text = textOf(item)
      return text === '' ? [] : [{ kind: 'text', text, ...(item.phase === null ? {} : { signature: item.phase }) }]
    }
    case 'reasoning': {
      const text = textOf(item)
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

/** Plain text as the arguments of a call; of a text that was cut off they are no JSON either, so that nothing is carried out. */
function freeArguments(text: string, isWhole: boolean): string {
  const json = JSON.stringify({ input: text })
  return isWhole ? json : json.slice(0, -CLOSING.length)
}

const CLOSING = '"}'

/** The plain text again. */
export function freeText(argsText: string): string {
  const read = (json: string): string => (JSON.parse(json) as { readonly input: string }).input
  try {
    return read(argsText)
  } catch {
    return read(argsText + CLOSING)
  }
}

/** `input_tokens` holds what the cache gave and took, `output_tokens` the reasoning; ours holds the second only. */
export function responsesUsage(usage: Fields): Usage {
  const [input, output] = [optional(usage['input_tokens_details']), optional(usage['output_tokens_details'])]
  const [cacheRead, cacheWrite] = [countOr(input['cached_tokens'], 0), countOr(input['cache_write_tokens'], 0)]
  return {
    input: Math.max(0, countOr(usage['input_tokens'], 0) - cacheRead - cacheWrite),
    output: countOr(usage['output_tokens'], 0),
    cacheRead,
    cacheWrite,
    reasoning: countOr(output['reasoning_tokens'], 0),
  }
}
