import { isObject } from '../../../shared/lib/json.ts'
import { commonMessagePart } from './given-images.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Converts a turn from the forms of other agents and SDKs to the form of `shared/session/conversation-turns.ts`. Accepts `role` for `kind`, kinds in
 * upper case, calls next to the text, `id`, `name` and `arguments` for a call's members, and a message with the role `tool` for a result.
 * Other members are passed on for the schema to check.
 */
export function commonForm(turn: unknown): unknown {
  if (!isObject(turn)) return turn
  const kind = lower(turn['kind'] ?? turn['role'])
  switch (kind) {
    case 'user':
    case 'steering':
      return { ...turn, kind, content: messageOf(turn['content']) }
    case 'system':
      return { ...turn, kind, content: joinedTexts(turn['content']) }
    case 'developer':
      return { kind: 'system', content: joinedTexts(turn['content']) }
    case 'assistant':
      return { ...turn, kind, content: assistantParts(turn) }
    case 'tool':
      return { kind: 'tool_results', results: [commonResult({ ...turn, output: turn['output'] ?? turn['content'] })] }
    case 'tool_results':
      return { kind, results: Array.isArray(turn['results']) ? turn['results'].map(commonResult) : turn['results'] }
    default:
      return turn
  }
}

function assistantParts(turn: Fields): unknown {
  const { content } = turn
  const calls = turn['toolCalls'] ?? turn['tool_calls']
  const parts: unknown = typeof content === 'string' ? [{ kind: 'text', text: content }] : (content ?? [])
  if (!Array.isArray(parts)) return parts
  // Calls in an unknown form must fail the schema check, so they are not dropped.
  if (calls !== undefined && calls !== null && !Array.isArray(calls)) return { calls }
  const made = (calls ?? []).map((call: unknown): unknown => (isObject(call) ? { ...call, kind: 'tool_call' } : call))
  return [...(parts as readonly unknown[]), ...(made as readonly unknown[])].map(commonPart)
}

function commonPart(part: unknown): unknown {
  if (!isObject(part)) return part
  const kind = lower(part['kind'] ?? part['type'])
  if (kind === 'redacted_thinking') return { kind: 'opaque', data: { type: kind, data: part['data'] } }
  if (kind !== 'tool_call' && kind !== 'tool_use') return { ...part, kind }
  const made = isObject(part['function']) ? part['function'] : part
  const args = part['args'] ?? made['arguments'] ?? made['input']
  return {
    ...part,
    kind: 'tool_call',
    toolCallId: part['toolCallId'] ?? part['id'],
    toolName: part['toolName'] ?? made['name'],
    ...(typeof args === 'string' ? { argsText: args, args: undefined } : { args }),
  }
}

function commonResult(result: unknown): unknown {
  if (!isObject(result)) return result
  return {
    ...result,
    toolCallId: result['toolCallId'] ?? result['tool_call_id'] ?? result['tool_use_id'] ?? result['id'],
    output: outputOf(result['output'] ?? result['content'] ?? (result['type'] === 'tool_result' ? '' : undefined)),
    isError: result['isError'] ?? result['is_error'] ?? false,
  }
}

/** Converts result parts that name their kind in `type`. The bytes of a document are in its `source`, like those of a picture. */
function outputOf(output: unknown): unknown {
  if (!Array.isArray(output)) return output
  return output.map((part: unknown) => {
    const made = commonMessagePart(part)
    if (!isObject(made) || made['kind'] !== 'document' || !isObject(made['source'])) return made
    return { ...made, mediaType: made['source']['media_type'], data: made['source']['data'] }
  })
}

/** If all parts are text, they are joined into one string. Otherwise the parts are kept in their order. */
function messageOf(content: unknown): unknown {
  const text = joinedTexts(content)
  return Array.isArray(text) ? text.map(commonMessagePart) : text
}

/** The text of a string or a list of texts. Any other value is returned unchanged. */
function joinedTexts(content: unknown): unknown {
  if (!Array.isArray(content) || !content.every((part) => isObject(part) && typeof part['text'] === 'string')) return content
  return content.map((part: unknown) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('\n')
}

const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)
