import type { ModelRequest } from '../../agent/ports/provider.ts'
import type { ProviderId } from '../../../shared/session/content.ts'
import type { AssistantTurn, ToolResultsTurn, Turn } from '../../../shared/session/turns.ts'
import { missingResult, turnBlocks, type TurnBlocks } from './message-blocks.ts'
import { requestOptions } from './request-options.ts'
import { jsonText } from './wire-text.ts'

const BREAKPOINT = '"cache_control":{"type":"ephemeral"}'

/**
 * Writes requests as JSON, each turn once in its life and prompt and tools once as long as they stay the same objects (DESIGN §10).
 * What was written once is written the same ever after, so that the service's cache holds: a request differs from the one before it by
 * what came to its end, and by where the two last marks stand.
 */
export function createBodyWriter(provider: ProviderId): (request: ModelRequest) => string {
  const written = new WeakMap<Turn, { readonly model: string; readonly result: TurnBlocks }>()
  let head: { readonly request: ModelRequest; readonly canReason: boolean; readonly json: string } | null = null

  const blocksOf = (turn: Turn, model: string): TurnBlocks => {
    const known = written.get(turn)
    if (known?.model === model) return known.result
    const result = turnBlocks(turn, { provider, model })
    written.set(turn, { model, result })
    return result
  }
  return (request) => {
    const canReason = begunWithReasoning(request.turns, provider, request.model)
    if (!head || head.canReason !== canReason || !sameHead(head.request, request))
      head = { request, canReason, json: headJson(request, canReason) }
    const messages = messagesOf(request.turns, (turn) => blocksOf(turn, request.model))
    return `${head.json}${marked(messages).join(',')}]}`
  }
}

function sameHead(a: ModelRequest, b: ModelRequest): boolean {
  return a.model === b.model && a.effort === b.effort && a.system === b.system && a.tools === b.tools
}

/** Everything before the messages, with marks behind the tools and behind the prompt. */
function headJson({ model, system, tools, effort }: ModelRequest, canReason: boolean): string {
  const options = JSON.stringify({ model, stream: true, ...requestOptions({ model, effort }, canReason) })
  const list = tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, input_schema: parameters }))
  const toolsJson = list.length === 0 ? '' : `,"tools":[${withMark(list.join(','))}]`
  const systemJson = system.trim() === '' ? '' : `,"system":[${withMark(`{"type":"text","text":${jsonText(system)}}`)}]`
  return `${options.slice(0, -1)}${toolsJson}${systemJson},"messages":[`
}

interface Message {
  readonly role: TurnBlocks['role']
  readonly blocks: string
}

/** Strict alternation (L-20): neighbours of one role become one message; every call gets exactly one result, in call order. */
function messagesOf(turns: readonly Turn[], blocksOf: (turn: Turn) => TurnBlocks): readonly Message[] {
  const messages: { role: Message['role']; blocks: string }[] = []
  const add = ({ role, blocks }: TurnBlocks): void => {
    if (blocks.length === 0) return
    const last = messages.at(-1)
    const json = blocks.length === 1 ? blocks[0] : blocks.join(',')
    if (last?.role === role) last.blocks += `,${json}`
    else messages.push({ role, blocks: json ?? '' })
  }
  for (const [index, turn] of turns.entries()) {
    if (turn.kind === 'tool_results') {
      if (isPaired(turns[index - 1], turn)) add(blocksOf(turn))
      continue
    }
    add(blocksOf(turn))
    const next = turns[index + 1]
    if (turn.kind === 'assistant' && !isPaired(turn, next)) add(repaired(turn, next, blocksOf))
  }
  return messages
}

/** Whether the results are those of the answer before them, one for each call and in call order. */
function isPaired(answer: Turn | undefined, results: Turn | undefined): boolean {
  if (answer?.kind !== 'assistant') return false
  const ids = callIds(answer)
  if (results?.kind !== 'tool_results') return ids.length === 0
  return ids.length === results.results.length && ids.every((id, index) => id === results.results[index]?.toolCallId)
}

function callIds({ content }: AssistantTurn) {
  return content.flatMap((part) => (part.kind === 'tool_call' ? [part.toolCallId] : []))
}

/** Results in call order where there are any; a call without one gets one, and a result without a call is dropped. */
function repaired(answer: AssistantTurn, next: Turn | undefined, blocksOf: (turn: Turn) => TurnBlocks): TurnBlocks {
  const results = next?.kind === 'tool_results' ? next.results : []
  const blocks = callIds(answer).map((id) => {
    const result = results.find((other) => other.toolCallId === id)
    return result ? blocksOf({ kind: 'tool_results', results: [result] } satisfies ToolResultsTurn).blocks.join(',') : missingResult(id)
  })
  return { role: 'user', blocks }
}

/**
 * Marks behind the newest user message and behind the one before it. The service looks only twenty blocks back for what it kept, so a
 * round of many calls would otherwise lose everything before it.
 */
function marked(messages: readonly Message[]): readonly string[] {
  let left = 2
  const json: string[] = []
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (!message) continue
    const mark = message.role === 'user' && left > 0
    if (mark) left--
    json.push(`{"role":"${message.role}","content":[${mark ? withMark(message.blocks) : message.blocks}]}`)
  }
  return json.reverse()
}

/** Puts the mark into the last of these blocks. */
function withMark(blocks: string): string {
  return `${blocks.slice(0, -1)},${BREAKPOINT}}`
}

/**
 * A budget of reasoning is refused while the running round was begun without: its answers would have to start with reasoning of this
 * model. A new user message ends that.
 */
function begunWithReasoning(turns: readonly Turn[], provider: ProviderId, model: string): boolean {
  const answer = turns.findLast((turn) => turn.kind === 'assistant' || turn.kind === 'user')
  if (answer?.kind !== 'assistant') return true
  const [first] = answer.content
  return (first?.kind === 'thinking' || first?.kind === 'opaque') && answer.provider === provider && answer.model === model
}
