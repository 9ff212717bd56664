import { Buffer } from 'node:buffer'
import type { ModelRequest } from '../../agent/ports/provider.ts'
import type { ProviderId } from '../../../shared/session/content.ts'
import type { Turn } from '../../../shared/session/turns.ts'
import { turnBlocks, type TurnBlocks } from './message-blocks.ts'
import { type Message, messagesFrom } from './messages.ts'
import { requestOptions } from './request-options.ts'
import { messageJson, SettledMessages } from './settled-messages.ts'
import { jsonText } from './wire-text.ts'

const MARK = '"cache_control":{"type":"ephemeral"}'

/**
 * Writes requests as JSON in UTF-8, each turn once in its life, and prompt and tools once as long as they stay the same objects
 * (DESIGN §10): the work for a request does not grow with the conversation, but for copying bytes. What was written once is written the
 * same ever after, so that the service's cache holds: a request differs from the one before it by what came to its end, and by where
 * the two last marks stand.
 */
export function createBodyWriter(provider: ProviderId): (request: ModelRequest) => Uint8Array {
  const conversations = new WeakMap<Turn, SettledMessages>()
  const heads = new WeakMap<Turn, Head>()
  const written = new WeakMap<Turn, { readonly model: string; readonly result: TurnBlocks }>()

  const blocksOf = (turn: Turn, model: string): TurnBlocks => {
    const known = written.get(turn)
    if (known?.model === model) return known.result
    const result = turnBlocks(turn, { provider, model })
    written.set(turn, { model, result })
    return result
  }
  /** What is open after the settled messages; they no longer fit when a conversation was cut back to where they still could change. */
  const goOn = (settled: SettledMessages, { turns, model }: Pick<ModelRequest, 'turns' | 'model'>): Conversation => {
    const from = settled.count
    const messages = messagesFrom(turns, from, (turn) => blocksOf(turn, model))
    const users = messages.filter(({ role }) => role === 'user')
    if (from > 0 && (users.length < 2 || messages[0] !== users[0])) return goOn(new SettledMessages(model), { turns, model })
    const open = settled.settle(turns, messages)
    // Their bytes are kept; their text is not needed any more.
    for (let index = from; index < settled.count; index++) written.delete(turns[index] ?? NOTHING_SAID)
    return { settled, open }
  }
  return (request) => {
    const { turns, model } = request
    const [first = NOTHING_SAID] = turns
    const known = conversations.get(first)
    const { settled, open } = goOn(known?.fits(turns, model) ? known : new SettledMessages(model), request)
    conversations.set(first, settled)
    const head = headOf(heads.get(first), request, begunWithReasoning(turns, provider, model))
    heads.set(first, head)
    const tail = `${settled.count > 0 && open.length > 0 ? ',' : ''}${marked(open).join(',')}]}`
    return Buffer.concat([head.bytes, settled.bytes, Buffer.from(tail)])
  }
}

/** Stands for a conversation in which nothing was said. */
const NOTHING_SAID: Turn = { kind: 'user', content: '' }

interface Conversation {
  readonly settled: SettledMessages
  readonly open: readonly Message[]
}

interface Head {
  readonly request: Omit<ModelRequest, 'turns'>
  readonly canReason: boolean
  readonly bytes: Uint8Array
}

function headOf(known: Head | undefined, { model, system, tools, effort }: ModelRequest, canReason: boolean): Head {
  if (known && known.canReason === canReason) {
    const { request } = known
    if (request.model === model && request.effort === effort && request.system === system && request.tools === tools) return known
  }
  const request = { model, system, tools, effort }
  return { request, canReason, bytes: Buffer.from(headJson(request, canReason)) }
}

/** Everything before the messages, with marks behind the tools and behind the prompt. */
function headJson({ model, system, tools, effort }: Head['request'], canReason: boolean): string {
  const options = JSON.stringify({ model, stream: true, ...requestOptions({ model, effort }, canReason) })
  const list = tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, input_schema: parameters }))
  const toolsJson = list.length === 0 ? '' : `,"tools":[${withMark(list.join(','))}]`
  const systemJson = system.trim() === '' ? '' : `,"system":[${withMark(`{"type":"text","text":${jsonText(system)}}`)}]`
  return `${options.slice(0, -1)}${toolsJson}${systemJson},"messages":[`
}

/**
 * Marks behind the newest user message and behind the one before it. The service looks only twenty blocks back for what it kept, so a
 * round of many calls would otherwise lose everything before it.
 */
function marked(messages: readonly Message[]): readonly string[] {
  const users = messages.filter(({ role }) => role === 'user').slice(-2)
  return messages.map((message) => messageJson(message, users.includes(message) ? withMark(message.blocks) : message.blocks))
}

/** Puts the mark into the last of these blocks. */
function withMark(blocks: string): string {
  return `${blocks.slice(0, -1)},${MARK}}`
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
