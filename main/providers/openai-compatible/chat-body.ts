import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { DocumentPart, ImagePart, ModelContent, TextPart, UserPart } from '../../../shared/session/content.ts'
import { type ToolResultsTurn, type Turn, messageText } from '../../../shared/session/conversation-turns.ts'
import type { ModelRequest } from '../../agent/ports/provider.ts'
import type { BodyFormat, Target } from '../body/body-format.ts'
import { CACHE_MARK, type OverriddenRequest } from '../body/body-overrides.ts'
import type { Message, TurnBlocks } from '../body/request-messages.ts'
import { withAcceptedSchema } from '../body/accepted-tool-schema.ts'
import { jsonText, wellFormedJson } from '../body/wire-text.ts'
import { effortFor, reasonsAtAll } from '../body/reasoning-models.ts'
import { assistantMessage } from './chat-assistant.ts'
import { idFor, ordered } from './chat-order.ts'

/**
 * Writes Chat Completions requests in a form that all servers accept: the prompt is the first message, and results are messages with the
 * role `tool`.
 */
export const chatBody: BodyFormat = {
  provider: 'openai-compatible',
  turnBlocks,
  message: (_, blocks, model) => ordered(blocks, model),
  head: headJson,
  tail: ']}',
  marked,
}

/**
 * Models of other vendors whose services or gateways accept `reasoning_effort`. If a service rejects the member, it is left out, and a
 * notice in the ledger names it.
 */
const TAKES_EFFORT = new RegExp(
  [
    'deepseek-(v([4-9]|\\d\\d)|r\\d|reasoner)|gemini-(2\\.5|[3-9]|\\w+(-lite)?-latest)',
    'claude-(3[-.]7|(opus|sonnet|haiku|fable)-[4-9]|[4-9])|grok-(3-mini|[4-9])|glm-(4\\.[5-9]|[5-9])|qwen3.*thinking|qwq|magistral|kimi-k2-thinking',
  ].join('|'),
)

/**
 * Matches models whose service caches nothing unless a request has cache marks. Gateways forward the marks. If a service rejects them,
 * later requests have no marks.
 */
const MARKED = /claude/
const MARK = { type: 'ephemeral' } as const
const HOUR_MARK = { type: 'ephemeral', ttl: '1h' } as const

/** Marks the two newest messages that are not from the model, as in Anthropic's own format. */
function marked(messages: readonly Message[], { model, shape, pauseLikely = false }: OverriddenRequest): readonly string[] {
  const users = MARKED.test(model) && !shape?.without.includes(CACHE_MARK) ? messages.filter(({ role }) => role === 'user').slice(-2) : []
  const mark = pauseLikely ? HOUR_MARK : MARK
  return messages.map((message) => ordered(users.includes(message) ? withMark(message.blocks, mark) : message.blocks, model))
}

/** Adds the mark to the last text of these messages. */
function withMark(blocks: string, mark: object): string {
  const all = JSON.parse(`[${blocks}]`) as { readonly role: string; content: unknown }[]
  const last = all.at(-1)
  if (!last) return blocks
  const parts = typeof last.content === 'string' ? [{ type: 'text', text: last.content }] : last.content
  if (!Array.isArray(parts) || (parts.length === 1 && (parts[0] as { readonly text?: string }).text === '')) return blocks
  const at = parts.findLastIndex((part: { readonly type: string }) => part.type === 'text')
  last.content = parts.map((part: object, index) => (index === at ? { ...part, cache_control: mark } : part))
  return all.map((message) => JSON.stringify(message)).join(',')
}

/** Usage is sent only on request (`include_usage`), in a last chunk without choices. */
function headJson({ model, system, tools, effort, answerShape }: ModelRequest): string {
  const mark = MARKED.test(model) ? `,"cache_control":${JSON.stringify(HOUR_MARK)}` : null
  const reasons = effort !== null && (reasonsAtAll(model) || TAKES_EFFORT.test(model.slice(model.lastIndexOf('/') + 1)))
  const options = {
    model,
    stream: true,
    stream_options: { include_usage: true },
    ...(reasons ? { reasoning_effort: effortFor(model, effort) } : {}),
    ...(answerShape
      ? { response_format: { type: 'json_schema', json_schema: { name: answerShape.name, schema: answerShape.schema, strict: true } } }
      : {}),
  }
  const list = tools.map((tool) => ({ type: 'function', function: withAcceptedSchema(tool) }))
  const toolsJson = list.length === 0 ? '' : `,"tools":${JSON.stringify(list)}`
  const content = mark === null ? jsonText(system) : `[{"type":"text","text":${jsonText(system)}${mark}}]`
  const prompt = system.trim() === '' ? '' : `{"role":"system","content":${content}}`
  return `${JSON.stringify(options).slice(0, -1)}${toolsJson},"messages":[${prompt}`
}

function turnBlocks(turn: Turn, target: Target): TurnBlocks {
  switch (turn.kind) {
    case 'user':
    case 'steering':
      return { role: 'user', blocks: userMessage(turn.content) }
    case 'system':
      // Templates of local models allow the role `system` only at the beginning, so later system messages are sent as user messages.
      return { role: 'user', blocks: userMessage(`<system>\n${turn.content}\n</system>`) }
    case 'assistant':
      return { role: 'assistant', blocks: assistantMessage(turn, target) }
    case 'tool_results':
      return { role: 'user', blocks: [...turn.results.map((result) => toolMessage(result, target)), ...seen(turn.results)] }
    default:
      return assertNever(turn, 'turn')
  }
}

/** Text without other parts is sent as a string, because some servers accept nothing else. */
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

type Result = ToolResultsTurn['results'][number]
type Shown = ImagePart | DocumentPart

function toolMessage({ toolCallId, output }: Result, target: Target): string {
  return `{"role":"tool","tool_call_id":${JSON.stringify(idFor(toolCallId, target))},"content":${jsonText(wordsOf(output))}}`
}

/** A message with the role `tool` can only contain text. Pictures and documents therefore follow in a message after all results. */
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
