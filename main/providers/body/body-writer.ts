import { Buffer } from 'node:buffer'
import type { Turn } from '../../../shared/session/conversation-turns.ts'
import type { BodyPieces } from '../http/placeholder-body.ts'
import type { BodyFormat, Target } from './body-format.ts'
import { FREE_FORM, NO_OVERRIDES, type OverriddenRequest, shapedHead } from './body-overrides.ts'
import { type Message, messagesFrom, type TurnBlocks } from './request-messages.ts'
import { SerializedPrefix } from './serialized-prefix.ts'
import type { ModelContent } from '../../../shared/session/content.ts'

/**
 * Writes requests as UTF-8 JSON. Each turn is serialized once. The prompt and the tools are serialized again only if they are not the same
 * objects as before. So the work per request does not grow with the conversation, and no bytes are copied. Turns that were sent before are
 * repeated byte for byte, except for cache marks, so the service's prompt cache remains valid.
 */
export function createBodyWriter(format: BodyFormat): (request: OverriddenRequest) => BodyPieces {
  const conversations = new WeakMap<Turn, SerializedPrefix>()
  const heads = new WeakMap<Turn, Head>()
  const written = new WeakMap<Turn, { readonly name: string; readonly result: TurnBlocks }>()

  const targetOf = ({ model, shape }: OverriddenRequest): Target => ({
    provider: format.provider,
    model,
    ...(shape?.without.includes(FREE_FORM) && { jsonToolsOnly: true }),
  })
  const blocksOf = (turn: Turn, target: Target): TurnBlocks => {
    const name = nameOf(target)
    const known = written.get(turn)
    if (known?.name === name) return known.result
    const result = format.turnBlocks(toldFailures(turn), target)
    written.set(turn, { name, result })
    return result
  }
  const empty = (target: Target): SerializedPrefix =>
    new SerializedPrefix(nameOf(target), ({ role, blocks }) => format.message(role, blocks, target.model))
  /**
   * Returns the messages after the settled ones. If the conversation was cut back so far that a settled message is again one of the two
   * newest user messages, all messages are written again.
   */
  const goOn = (settled: SerializedPrefix, turns: readonly Turn[], target: Target): Conversation => {
    const from = settled.count
    const messages = messagesFrom(turns, from, (turn) => blocksOf(turn, target), format.opening)
    const users = messages.filter(({ role }) => role === 'user')
    if (from > 0 && (users.length < 2 || messages[0] !== users[0])) return goOn(empty(target), turns, target)
    const open = settled.settle(turns, messages)
    // The settled messages contain the bytes of these turns, so their JSON text is no longer needed.
    for (let index = from; index < settled.count; index++) written.delete(turns[index] ?? NOTHING_SAID)
    return { settled, open }
  }
  return (request) => {
    const { turns, model } = request
    const [first = NOTHING_SAID] = turns
    const known = conversations.get(first)
    const target = targetOf(request)
    const { settled, open } = goOn(known?.fits(turns, nameOf(target)) ? known : empty(target), turns, target)
    conversations.set(first, settled)
    const head = headOf(heads.get(first), request, format)
    heads.set(first, head)
    const last = format.marked?.(open, request) ?? open.map(({ role, blocks }) => format.message(role, blocks, model))
    const afterHead = head.isEmptyList || (settled.count === 0 && last.length === 0) ? '' : ','
    const afterSettled = settled.count > 0 && last.length > 0 ? ',' : ''
    const rest = Buffer.from(`${afterSettled}${last.join(',')}${format.tail}`)
    return [head.bytes, Buffer.from(afterHead), ...settled.pieces, rest]
  }
}

/** Turns that were written for a target can be reused for any target with the same name. */
const nameOf = ({ model, jsonToolsOnly = false }: Target): string => (jsonToolsOnly ? `${model}\n${FREE_FORM}` : model)

/** Sent if the conversation is empty. */
const NOTHING_SAID: Turn = { kind: 'user', content: '' }

interface Conversation {
  readonly settled: SerializedPrefix
  readonly open: readonly Message[]
}

interface Head {
  readonly request: OverriddenRequest
  readonly situation: boolean
  readonly bytes: Uint8Array
  /** Whether the list of messages has no element yet. */
  readonly isEmptyList: boolean
}

function headOf(known: Head | undefined, request: OverriddenRequest, format: BodyFormat): Head {
  const situation = format.situation?.(request) ?? false
  if (known && known.situation === situation) {
    const { model, effort, system, tools, answerShape, shape } = known.request
    const isSame = request.model === model && request.effort === effort && request.answerShape === answerShape && request.shape === shape
    if (isSame && request.system === system && request.tools === tools) return known
  }
  const text = shapedHead(format.head(request, situation), format.tail, request.shape ?? NO_OVERRIDES)
  return { request, situation, bytes: Buffer.from(text), isEmptyList: text.endsWith('[') }
}

const WITHOUT_A_WORD = 'It failed without a message.'

/**
 * Gives every failed result of a turn a text if it has none. Some formats cannot mark a result as failed, and the others reject a failure
 * without text. If the turn needs no change, returns the same object.
 */
function toldFailures(turn: Turn): Turn {
  if (turn.kind !== 'tool_results' || !turn.results.some(isSilent)) return turn
  return { ...turn, results: turn.results.map((result) => (isSilent(result) ? { ...result, output: withText(result.output) } : result)) }
}

function isSilent({ output, isError }: { readonly output: ModelContent; readonly isError: boolean }): boolean {
  if (!isError) return false
  return typeof output === 'string' ? isBlank(output) : output.every((part) => part.kind !== 'text' || isBlank(part.text))
}

function withText(output: ModelContent): ModelContent {
  const shown = typeof output === 'string' ? [] : output.filter(({ kind }) => kind !== 'text')
  return shown.length === 0 ? WITHOUT_A_WORD : [{ kind: 'text', text: WITHOUT_A_WORD }, ...shown]
}

const isBlank = (text: string): boolean => text.trim() === ''
