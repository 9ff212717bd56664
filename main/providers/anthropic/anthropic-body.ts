import type { ModelRequest } from '../../agent/ports/provider.ts'
import type { ProviderId } from '../../../shared/session/content.ts'
import type { BodyFormat } from '../body/body-format.ts'
import { CACHE_MARK, type OverriddenRequest } from '../body/body-overrides.ts'
import { type Message, OPENING } from '../body/request-messages.ts'
import { withAcceptedSchema } from '../body/accepted-tool-schema.ts'
import { jsonText } from '../body/wire-text.ts'
import { turnBlocks } from './message-blocks.ts'
import { knowsShapes, lengthAndReasoning } from './length-and-reasoning.ts'

/**
 * Two cache marks. The cached content expires five minutes after its last use, or after an hour with `HOUR_MARK`, which makes writing it
 * more expensive.
 */
const MARK = '"cache_control":{"type":"ephemeral"}'
const HOUR_MARK = '"cache_control":{"type":"ephemeral","ttl":"1h"}'

/** Writes requests for Anthropic's Messages API, with strictly alternating roles and with cache marks. */
export function anthropicBody(provider: Extract<ProviderId, 'anthropic' | 'rehearsal'>): BodyFormat {
  return {
    provider,
    turnBlocks,
    message: messageJson,
    head: headJson,
    situation: (request) => begunWithReasoning(request, provider),
    opening: `{"type":"text","text":${jsonText(OPENING)}}`,
    tail: ']}',
    marked,
  }
}

function messageJson(role: Message['role'], blocks: string): string {
  return `{"role":"${role}","content":[${blocks}]}`
}

/**
 * Everything before the messages. The tools and the prompt each end with a one-hour cache mark, because they stay the same even over long
 * pauses.
 */
function headJson({ model, system, tools: given, effort, answerShape }: ModelRequest, canReason: boolean): string {
  const { tools, members } = shaped(given, { model, effort }, canReason, answerShape)
  const options = JSON.stringify({ model, stream: true, ...members })
  const list = tools
    .map(withAcceptedSchema)
    .map(({ name, description, parameters }) => JSON.stringify({ name, description, input_schema: parameters }))
  const toolsJson = list.length === 0 ? '' : `,"tools":[${withMark(list.join(','), HOUR_MARK)}]`
  const systemJson = system.trim() === '' ? '' : `,"system":[${withMark(`{"type":"text","text":${jsonText(system)}}`, HOUR_MARK)}]`
  return `${options.slice(0, -1)}${toolsJson}${systemJson},"messages":[`
}

/**
 * Adds the members that request a JSON object. Claude models get an output format, because the newest of them reject a forced tool call.
 * Other models that use this wire format must call a tool whose argument is the object. They cannot reason, because the call is forced. The
 * call is later read as text.
 */
function shaped(
  tools: ModelRequest['tools'],
  asked: Pick<ModelRequest, 'model' | 'effort'>,
  canReason: boolean,
  shape: ModelRequest['answerShape'],
) {
  if (!shape) return { tools, members: lengthAndReasoning(asked, canReason) }
  if (knowsShapes(asked.model)) {
    const options = lengthAndReasoning(asked, canReason)
    const format = { type: 'json_schema', schema: shape.schema }
    return { tools, members: { ...options, output_config: { ...options.output_config, format } } }
  }
  const tool = {
    name: shape.name,
    description: 'Receives your answer. Call this tool once, with the complete answer.',
    parameters: shape.schema,
  }
  const members = { ...lengthAndReasoning(asked, false), tool_choice: { type: 'tool', name: shape.name } }
  return { tools: [...tools, tool], members }
}

/**
 * Adds cache marks to the two newest user messages. The service searches only twenty blocks back for cached content, so a round with many
 * calls would otherwise lose the cache. The marks last an hour if the user is likely to pause. An answer at the end of the conversation is
 * sent for the model to continue, so its whitespace at the end is removed.
 */
function marked(messages: readonly Message[], { shape, pauseLikely = false }: OverriddenRequest): readonly string[] {
  const mark = shape?.without.includes(CACHE_MARK) ? null : pauseLikely ? HOUR_MARK : MARK
  const users = messages.filter(({ role }) => role === 'user').slice(-2)
  const last = messages.at(-1)
  return messages.map((message) => {
    if (message.role === 'assistant') return messageJson(message.role, message === last ? begun(message.blocks) : message.blocks)
    return messageJson(message.role, mark !== null && users.includes(message) ? withMark(message.blocks, mark) : message.blocks)
  })
}

/** An answer that the model is to continue must not end with whitespace, so trailing whitespace is removed. */
function begun(blocks: string): string {
  const all = JSON.parse(`[${blocks}]`) as readonly { readonly type: string; readonly text?: string }[]
  const text = all.at(-1)?.text
  if (all.at(-1)?.type !== 'text' || text === undefined || text === text.trimEnd()) return blocks
  return [...all.slice(0, -1), { type: 'text', text: text.trimEnd() }].map((block) => JSON.stringify(block)).join(',')
}

/** Adds the mark to the last of these blocks. */
function withMark(blocks: string, mark: string): string {
  return `${blocks.slice(0, -1)},${mark}}`
}

/**
 * Whether a reasoning budget is allowed. The service rejects a budget if the current round did not start with this model's reasoning. From
 * the next user message on, a budget is allowed again.
 */
function begunWithReasoning({ turns, model }: ModelRequest, provider: ProviderId): boolean {
  const answer = turns.findLast((turn) => turn.kind === 'assistant' || turn.kind === 'user')
  if (answer?.kind !== 'assistant') return true
  const [first] = answer.content
  return (first?.kind === 'thinking' || first?.kind === 'opaque') && answer.provider === provider && answer.model === model
}
