import type { ContentPart, JsonValue, ToolCallPart } from '../../../shared/session/content.ts'
import type { AssistantTurn } from '../../../shared/session/conversation-turns.ts'
import type { Target } from '../body/body-format.ts'
import { requiresReasoningInHistory } from '../body/reasoning-models.ts'
import { argumentsJson, jsonText, wellFormedJson, wireName } from '../body/wire-text.ts'
import { generation, NOT_SIGNED_BY_GEMINI } from '../gemini/gemini-model-traits.ts'
import { idFor } from './chat-order.ts'
import { REASONING_MEMBERS } from './reasoning-details.ts'

/**
 * An answer as a message. Reasoning in plain text, `reasoning_details` and a call's `extra_content` are sent back only to the model that
 * produced them.
 */
export function assistantMessage(turn: AssistantTurn, target: Target): readonly string[] {
  const own = turn.provider === target.provider && turn.model === target.model
  const text = turn.content.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  const calls = turn.content.flatMap((part) => (part.kind === 'tool_call' ? [part] : []))
  if (text.trim() === '' && calls.length === 0) return []
  const reasoning = own ? reasoningIn(turn.content) : []
  const members = [
    '"role":"assistant"',
    `"content":${text.trim() === '' ? 'null' : jsonText(text)}`,
    ...(reasoning.length === 0 && requiresReasoningInHistory(target.model) ? NO_REASONING : reasoning)
      .map((item) => wellFormedJson(item).slice(1, -1))
      .filter((json) => json !== ''),
    ...(calls.length === 0 ? [] : [`"tool_calls":[${calls.map((call, index) => callJson(call, index, own, target)).join(',')}]`]),
  ]
  return [`{${members.join(',')}}`]
}

/** Sent if an answer has no reasoning but the model requires reasoning in every answer. */
const NO_REASONING: readonly object[] = [{ reasoning_content: ' ' }]

/** Plain-text reasoning, merged by member, and `reasoning_details`. */
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

/** The value that Gemini accepts in place of its own signature on the first call, even through this format. */
const UNSIGNED = JSON.stringify({ google: { thought_signature: NOT_SIGNED_BY_GEMINI } })

/**
 * Returns the call's `extra_content`, which is stored as its signature. Null for a signature in another form, which comes from another
 * request format.
 */
function ownExtra(signature: string | undefined): string | null {
  return signature !== undefined && argumentsJson(signature) !== '{}' ? argumentsJson(signature) : null
}

/**
 * Returns only opaque data from answers in this request format, because data from other formats would add unknown members to the message.
 */
function detailsIn(data: JsonValue): readonly object[] {
  if (data === null || typeof data !== 'object' || !('reasoning_details' in data)) return []
  return [{ reasoning_details: data['reasoning_details'] }]
}

/** Whether the signature is the name of a reasoning member. Other signatures come from other request formats. */
const isMember = (signature: string | null): signature is string => signature !== null && REASONING_MEMBERS.includes(signature)
