import { createHash } from 'node:crypto'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { ContentPart, ModelContent, ToolCallPart, UserPart } from '../../../shared/session/content.ts'
import { type ToolResultsTurn, type Turn, messageText } from '../../../shared/session/conversation-turns.ts'
import type { ModelRequest } from '../../agent/ports/provider.ts'
import type { BodyFormat, Target } from '../body/body-format.ts'
import { FREE_FORM, type OverriddenRequest } from '../body/body-overrides.ts'
import type { TurnBlocks } from '../body/request-messages.ts'
import { withAcceptedSchema } from '../body/accepted-tool-schema.ts'
import { argumentsJson, jsonText, wellFormedJson, wireId, wireName } from '../body/wire-text.ts'
import { effortFor, reasonsAtAll, takesCustomTools } from '../body/reasoning-models.ts'
import { freeText } from './responses-item.ts'

/** Writes requests for OpenAI's Responses API: the prompt as `instructions`, and calls and results as items next to the messages. */
export const responsesBody: BodyFormat = {
  provider: 'openai',
  turnBlocks,
  message: (_, blocks) => blocks,
  head: headJson,
  tail: ']}',
}

/** The service stores nothing (`store`), so reasoning is received in encrypted form and sent back with the next request. */
function headJson({ model, system, tools, effort: asked, turns, answerShape, shape }: OverriddenRequest): string {
  const effort = effortFor(model, asked)
  const reasons = reasonsAtAll(model)
  const options = {
    model,
    stream: true,
    store: false,
    ...(reasons ? { include: ['reasoning.encrypted_content'], reasoning: { ...(effort ? { effort } : {}), summary: 'auto' } } : {}),
    prompt_cache_key: conversationKey(system, turns[0]),
    ...(tools.length > 0 ? { parallel_tool_calls: true } : {}),
    ...(answerShape ? { text: { format: { type: 'json_schema', name: answerShape.name, schema: answerShape.schema, strict: true } } } : {}),
  }
  const isFree = takesPlainText({ model, jsonToolsOnly: shape?.without.includes(FREE_FORM) ?? false })
  const list = tools.map((tool) => toolItem(tool, isFree))
  const toolsJson = list.length === 0 ? '' : `,"tools":${JSON.stringify(list)}`
  const systemJson = system.trim() === '' ? '' : `,"instructions":${jsonText(system)}`
  return `${JSON.stringify(options).slice(0, -1)}${toolsJson}${systemJson},"input":[`
}

/** Whether a tool that has a plain-text form is offered in that form, and its calls are sent back in that form. */
function takesPlainText({ model, jsonToolsOnly = false }: Pick<Target, 'model' | 'jsonToolsOnly'>): boolean {
  return !jsonToolsOnly && takesCustomTools(model)
}

function toolItem(tool: ModelRequest['tools'][number], isFree: boolean): object {
  const { name, description, freeForm } = tool
  if (!freeForm || !isFree) return { type: 'function', ...withAcceptedSchema(tool), strict: false }
  return { type: 'custom', name, description, format: { type: 'grammar', syntax: 'lark', definition: freeForm.grammar } }
}

/** A key that makes all requests of a conversation use the same cache. It is a hash, so that it reveals nothing about the content. */
function conversationKey(system: string, first: Turn | undefined): string {
  const begun = first?.kind === 'user' ? messageText(first.content) : ''
  return createHash('sha256').update(`${system}\0${begun}`).digest('base64url').slice(0, 32)
}

function turnBlocks(turn: Turn, target: Target): TurnBlocks {
  switch (turn.kind) {
    case 'user':
    case 'steering':
      return { role: 'user', blocks: message('user', turn.content) }
    case 'system':
      return { role: 'user', blocks: message('developer', turn.content) }
    case 'assistant': {
      const own = turn.provider === target.provider && turn.model === target.model
      return {
        role: 'assistant',
        blocks: turn.content.flatMap((part, index) =>
          partItems(part, { own, isFree: takesPlainText(target) }, turn.content.slice(index + 1)),
        ),
      }
    }
    case 'tool_results':
      return { role: 'user', blocks: turn.results.map((result) => resultItem(result, takesPlainText(target))) }
    default:
      return assertNever(turn, 'turn')
  }
}

function message(role: 'user' | 'developer', content: string | readonly UserPart[]): readonly string[] {
  const parts = typeof content === 'string' ? textItem(content) : content.flatMap(userItem)
  return parts.length === 0 ? [] : [`{"role":"${role}","content":[${parts.join(',')}]}`]
}

function textItem(text: string): readonly string[] {
  return text.trim() === '' ? [] : [`{"type":"input_text","text":${jsonText(text)}}`]
}

function userItem(part: UserPart): readonly string[] {
  switch (part.kind) {
    case 'text':
      return textItem(part.text)
    case 'image':
      return [wellFormedJson({ type: 'input_image', image_url: `data:${part.mediaType};base64,${part.data}`, detail: 'auto' })]
    case 'image_url':
      return [wellFormedJson({ type: 'input_image', image_url: part.url, detail: 'auto' })]
    default:
      return assertNever(part, 'part of a message')
  }
}

function partItems(
  part: ContentPart,
  { own, isFree }: { readonly own: boolean; readonly isFree: boolean },
  rest: readonly ContentPart[],
): readonly string[] {
  switch (part.kind) {
    case 'text': {
      if (part.text.trim() === '') return []
      const phase = own && part.signature !== undefined ? `,"phase":${JSON.stringify(part.signature)}` : ''
      return [`{"type":"message","role":"assistant","content":[{"type":"output_text","text":${jsonText(part.text)}}]${phase}}`]
    }
    case 'thinking':
      return own && canGoBack(part.item, rest) ? [JSON.stringify(part.item)] : []
    case 'opaque':
      return own ? [JSON.stringify(part.data)] : []
    case 'tool_call':
      return [callItem(part, isFree)]
    default:
      return assertNever(part, 'part')
  }
}

function callItem({ toolCallId, toolName, argsText, freeForm }: ToolCallPart, isFree: boolean): string {
  const id = JSON.stringify(wireId(toolCallId))
  const name = JSON.stringify(wireName(toolName))
  if (freeForm && isFree) return `{"type":"custom_tool_call","call_id":${id},"name":${name},"input":${jsonText(freeText(argsText))}}`
  return `{"type":"function_call","call_id":${id},"name":${name},"arguments":${JSON.stringify(argumentsJson(argsText))}}`
}

/**
 * Whether a reasoning item can be sent back. The service rejects a reasoning item that has no encrypted content, or that is not followed by
 * another item.
 */
function canGoBack(item: unknown, rest: readonly ContentPart[]): boolean {
  const isWhole = item !== null && typeof item === 'object' && 'encrypted_content' in item && typeof item.encrypted_content === 'string'
  return isWhole && rest.some((part) => part.kind === 'tool_call' || (part.kind === 'text' && part.text.trim() !== ''))
}

function resultItem({ toolCallId, output, freeForm }: ToolResultsTurn['results'][number], isFree: boolean): string {
  const type = freeForm && isFree ? 'custom_tool_call_output' : 'function_call_output'
  return `{"type":"${type}","call_id":${JSON.stringify(wireId(toolCallId))},"output":${resultContent(output)}}`
}

/** The format has no member for failure, so the text has to say that the call failed. */
function resultContent(output: ModelContent): string {
  if (typeof output === 'string') return jsonText(output)
  const parts = output.flatMap((part): readonly object[] => {
    switch (part.kind) {
      case 'text':
        return part.text === '' ? [] : [{ type: 'input_text', text: part.text }]
      case 'image':
        return [{ type: 'input_image', image_url: `data:${part.mediaType};base64,${part.data}`, detail: 'auto' }]
      case 'document':
        return [{ type: 'input_file', filename: part.name, file_data: `data:${part.mediaType};base64,${part.data}` }]
    }
  })
  return parts.length === 0 ? '""' : wellFormedJson(parts)
}
