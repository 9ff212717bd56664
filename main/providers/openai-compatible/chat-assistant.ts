import type { ContentPart, JsonValue, ToolCallPart } from '../../../shared/session/content.ts'
import type { AssistantTurn } from '../../../shared/session/turns.ts'
import type { Target } from '../body/body-format.ts'
import { wantsReasoning } from '../body/wants-reasoning.ts'
import { argumentsJson, jsonText, wellFormedJson, wireName } from '../body/wire-text.ts'
import { generation, NOT_SIGNED_BY_GEMINI } from '../gemini/gemini-models.ts'
import { idFor } from './chat-order.ts'
import { REASONING_MEMBERS } from './reasoning-details.ts'

/** An answer as a message. What is own goes back as it came: reasoning in the clear under its name, its details, and what belongs to calls. */
export function assistantMessage(turn: AssistantTurn, target: Target): readonly string[] {
  const own = turn.provider === target.provider && turn.model === target.model
  const text = turn.content.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  const calls = turn.content.flatMap((part) => (part.kind === 'tool_call' ? [part] : []))
  if (text.trim() === '' && calls.length === 0) return []
  const reasoning = own ? reasoningIn(turn.content) : []
  const members = [
    '"role":"assistant"',
    `"content":${text.trim() === '' ? 'null' : jsonText(text)}`,
    ...(reasoning.length === 0 && wantsReasoning(target.model) ? UNTOLD : reasoning)
      .map((item) => wellFormedJson(item).slice(1, -1))
      .filter((json) => json !== ''),
    ...(calls.length === 0 ? [] : [`"tool_calls":[${calls.map((call, index) => callJson(call, index, own, target)).join(',')}]`]),
  ]
  return [`{${members.join(',')}}`]
}

/** Where a model wants some, and there is none. */
const UNTOLD: readonly object[] = [{ reasoning_content: ' ' }]

/** Reasoning in the clear by its members, each once, and what else of it is wanted back. */
function reasoningIn(content: readonly ContentPart[]): readonly object[] {
  const clear = new Map<string, string>()
  for (const part of content)
    if (part.kind === 'thinking' && isMember(part.signature)) clear.set(part.signature, (clear.get(part.signature) ?? '') + part.text)
  const details = content.flatMap((part) => (part.kind === 'opaque' ? detailsIn(part.data) : []))
  return [...(clear.size > 0 ? [Object.fromEntries(clear)] : []), ...details]
}

function callJson({ toolCallId, toolName, argsText, signature }: ToolCallPart, index: number, own: boolean, target: Target): string {
  const made = `"name":${JSON.stringify(wireName(toolName))},"arguments":${JSON.stringify(argumentsJson(argsText))}`
  const extra = own ? ownExtra(signature) : index === 0 && generation(target.model) >= 3 ? UNSIGNED : null
  return `{"id":${JSON.stringify(idFor(toolCallId, target))},"type":"function","function":{${made}}${extra === null ? '' : `,"extra_content":${extra}`}}`
}

/** What Gemini takes in place of its own signature of the first call, behind this format too. */
const UNSIGNED = JSON.stringify({ google: { thought_signature: NOT_SIGNED_BY_GEMINI } })

/** The `extra_content` that came with the call; whatever else stands in a signature is none of this format's. */
function ownExtra(signature: string | undefined): string | null {
  return signature !== undefined && argumentsJson(signature) !== '{}' ? argumentsJson(signature) : null
}

/** What this format's answers leave as opaque; anything else would be members of the message that nobody knows. */
function detailsIn(data: JsonValue): readonly object[] {
  if (data === null || typeof data !== 'object' || !('reasoning_details' in data)) return []
  return [{ reasoning_details: data['reasoning_details'] }]
}

/** Whatever else stands in a signature is none of this format's. */
const isMember = (signature: string | null): signature is string => signature !== null && REASONING_MEMBERS.includes(signature)
