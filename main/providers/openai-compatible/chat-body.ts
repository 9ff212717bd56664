import { assertNever } from '../../../shared/lib/assert-never.ts'
import type {
  ContentPart,
  DocumentPart,
  ImagePart,
  JsonValue,
  ModelContent,
  TextPart,
  ToolCallPart,
  UserPart,
} from '../../../shared/session/content.ts'
import { type AssistantTurn, type ToolResultsTurn, type Turn, messageText } from '../../../shared/session/turns.ts'
import type { ModelRequest } from '../../agent/ports/provider.ts'
import type { BodyFormat, Target } from '../body/body-format.ts'
import type { TurnBlocks } from '../body/messages.ts'
import { takenTool } from '../body/tool-schema.ts'
import { argumentsJson, jsonText, wellFormedJson, wireId, wireName } from '../body/wire-text.ts'
import { generation, NOT_SIGNED_BY_GEMINI } from '../gemini/gemini-models.ts'
import { reasonsAtAll } from '../openai/reasoning-models.ts'
import { REASONING_MEMBERS } from './reasoning-members.ts'

/** A request of Chat Completions in the form that all servers take: the prompt first, results as messages of role `tool`. */
export const chatBody: BodyFormat = {
  provider: 'openai-compatible',
  turnBlocks,
  message: (_, blocks) => blocks,
  head: headJson,
  tail: ']}',
}

/** Models of others whose services document `reasoning_effort` with our three words (DeepSeek since V4, Gemini since 2.5). */
const TAKES_EFFORT = /(^|\/)(deepseek-v([4-9]|\d\d)|gemini-(2\.5|[3-9]))/

/** Usage comes only when it is asked for, in a last chunk without choices. */
function headJson({ model, system, tools, effort, answerShape }: ModelRequest): string {
  const reasons = effort !== null && (reasonsAtAll(model) || TAKES_EFFORT.test(model))
  const options = {
    model,
    stream: true,
    stream_options: { include_usage: true },
    ...(reasons ? { reasoning_effort: effort } : {}),
    ...(answerShape
      ? { response_format: { type: 'json_schema', json_schema: { name: answerShape.name, schema: answerShape.schema, strict: true } } }
      : {}),
  }
  const list = tools.map((tool) => ({ type: 'function', function: takenTool(tool) }))
  const toolsJson = list.length === 0 ? '' : `,"tools":${JSON.stringify(list)}`
  const prompt = system.trim() === '' ? '' : `{"role":"system","content":${jsonText(system)}}`
  return `${JSON.stringify(options).slice(0, -1)}${toolsJson},"messages":[${prompt}`
}

function turnBlocks(turn: Turn, target: Target): TurnBlocks {
  switch (turn.kind) {
    case 'user':
    case 'steering':
      return { role: 'user', blocks: userMessage(turn.content) }
    case 'system':
      // Local templates allow the role `system` at the beginning only.
      return { role: 'user', blocks: userMessage(`<system>\n${turn.content}\n</system>`) }
    case 'assistant':
      return { role: 'assistant', blocks: assistantMessage(turn, target) }
    case 'tool_results':
      return { role: 'user', blocks: [...turn.results.map(toolMessage), ...seen(turn.results)] }
    default:
      return assertNever(turn, 'turn')
  }
}

/** Words alone are a string: some servers take nothing else. */
function userMessage(content: string | readonly UserPart[]): readonly string[] {
  if (typeof content !== 'string' && content.some(({ kind }) => kind !== 'text'))
    return [`{"role":"user","content":[${content.flatMap(userPart).join(',')}]}`]
  const text = messageText(content)
  return text.trim() === '' ? [] : [`{"role":"user","content":${jsonText(text)}}`]
}

function userPart(part: UserPart): readonly string[] {
  switch (part.kind) {
    case 'text':
      return part.text.trim() === '' ? [] : [`{"type":"text","text":${jsonText(part.text)}}`]
    case 'image':
      return [wellFormedJson({ type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${part.data}` } })]
    case 'image_url':
      return [wellFormedJson({ type: 'image_url', image_url: { url: part.url } })]
    default:
      return assertNever(part, 'part of a message')
  }
}

/** What is own goes back as it came: reasoning in the clear under its name, its details, and what belongs to calls. */
function assistantMessage(turn: AssistantTurn, target: Target): readonly string[] {
  const own = turn.provider === target.provider && turn.model === target.model
  const text = turn.content.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  const calls = turn.content.flatMap((part) => (part.kind === 'tool_call' ? [part] : []))
  if (text.trim() === '' && calls.length === 0) return []
  const reasoning = own ? turn.content.flatMap(reasoningIn) : []
  const members = [
    '"role":"assistant"',
    `"content":${text.trim() === '' ? 'null' : jsonText(text)}`,
    ...(reasoning.length === 0 && WANTS_REASONING.test(target.model) ? UNTOLD : reasoning)
      .map((item) => wellFormedJson(item).slice(1, -1))
      .filter((json) => json !== ''),
    ...(calls.length === 0 ? [] : [`"tool_calls":[${calls.map((call, index) => callJson(call, index, own, target)).join(',')}]`]),
  ]
  return [`{${members.join(',')}}`]
}

/** Models that, while they reason, refuse an answer without reasoning, made by another model or not: a blank passes. */
const WANTS_REASONING = /deepseek|kimi/i
const UNTOLD: readonly object[] = [{ reasoning_content: ' ' }]

function reasoningIn(part: ContentPart): readonly object[] {
  if (part.kind === 'opaque') return detailsIn(part.data)
  return part.kind === 'thinking' && isMember(part.signature) ? [{ [part.signature]: part.text }] : []
}

function callJson({ toolCallId, toolName, argsText, signature }: ToolCallPart, index: number, own: boolean, target: Target): string {
  const made = `"name":${JSON.stringify(wireName(toolName))},"arguments":${JSON.stringify(argumentsJson(argsText))}`
  const extra = own ? ownExtra(signature) : index === 0 && generation(target.model) >= 3 ? UNSIGNED : null
  return `{"id":${JSON.stringify(wireId(toolCallId))},"type":"function","function":{${made}}${extra === null ? '' : `,"extra_content":${extra}`}}`
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

type Result = ToolResultsTurn['results'][number]
type Shown = ImagePart | DocumentPart

function toolMessage({ toolCallId, output }: Result): string {
  return `{"role":"tool","tool_call_id":${JSON.stringify(wireId(toolCallId))},"content":${jsonText(wordsOf(output))}}`
}

/** A message of role `tool` holds text only; what is to be seen follows all of them. */
function wordsOf(output: ModelContent): string {
  if (typeof output === 'string') return output
  const words = output.map((part) => (part.kind === 'text' ? part.text : `[${part.kind} of type ${part.mediaType}: see the next message]`))
  return words.filter((text) => text !== '').join('\n')
}

function seen(results: readonly Result[]): readonly string[] {
  const parts = results.flatMap(({ toolName, output }) => {
    const found = typeof output === 'string' ? [] : output.filter((part): part is Shown => !isText(part))
    return found.length === 0 ? [] : [{ type: 'text', text: `From ${toolName}:` }, ...found.map(shownPart)]
  })
  return parts.length === 0 ? [] : [wellFormedJson({ role: 'user', content: parts })]
}

const isText = (part: TextPart | Shown): part is TextPart => part.kind === 'text'

function shownPart(part: Shown) {
  const url = `data:${part.mediaType};base64,${part.data}`
  return part.kind === 'image' ? { type: 'image_url', image_url: { url } } : { type: 'file', file: { filename: part.name, file_data: url } }
}
