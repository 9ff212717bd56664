import type { ToolCallPart } from '../../../shared/session/content.ts'
import type { AssistantTurn, ToolResultsTurn, Turn } from '../../../shared/session/conversation-turns.ts'

/** The JSON elements of a turn in a request, in order. Empty if nothing of the turn is sent. */
export interface TurnBlocks {
  readonly role: 'user' | 'assistant'
  readonly blocks: readonly string[]
}

/** A message of the request. Contains its blocks in JSON, without the brackets around them. */
export interface Message {
  readonly role: TurnBlocks['role']
  readonly blocks: string
  /**
   * Index of the first turn of the message. All earlier messages contain only turns before this turn. Null if the messages cannot be
   * divided here.
   */
  readonly firstTurn: number | null
}

/** Sent as the first user message if a conversation starts with an answer. */
export const OPENING = '(What was said before is not part of this conversation.)'

/**
 * The turns from index `start` on as messages. Roles alternate strictly: neighbors with the same role become one message, and every call
 * gets exactly one result, in call order. If the conversation starts with an answer, `opening` is put before it.
 */
export function messagesFrom(
  turns: readonly Turn[],
  start: number,
  blocksOf: (turn: Turn) => TurnBlocks,
  opening?: string,
): readonly Message[] {
  const messages: { role: Message['role']; blocks: string; firstTurn: number | null }[] = []
  const add = ({ role, blocks }: TurnBlocks, firstTurn: number | null): void => {
    if (blocks.length === 0) return
    const last = messages.at(-1)
    const json = blocks.join(',')
    if (!last && start === 0 && role === 'assistant' && opening !== undefined)
      messages.push({ role: 'user', blocks: opening, firstTurn: null })
    if (last?.role === role) last.blocks += `,${json}`
    else messages.push({ role, blocks: json, firstTurn })
  }
  for (let index = start; index < turns.length; index++) {
    const turn = turns[index]
    if (!turn) continue
    const next = turns[index + 1]
    if (turn.kind === 'tool_results') {
      if (isPaired(turns[index - 1], turn)) add(blocksOf(turn), index)
      continue
    }
    add(blocksOf(turn), index)
    if (turn.kind === 'assistant' && !isPaired(turn, next)) add(repaired(turn, next, blocksOf), null)
  }
  return messages
}

/** Whether the results belong to the answer before them: one result for each call, in call order. */
function isPaired(answer: Turn | undefined, results: Turn | undefined): boolean {
  if (answer?.kind !== 'assistant') return false
  const ids = callsOf(answer).map(({ toolCallId }) => toolCallId)
  if (results?.kind !== 'tool_results') return ids.length === 0
  return ids.length === results.results.length && ids.every((id, index) => id === results.results[index]?.toolCallId)
}

function callsOf({ content }: AssistantTurn): readonly ToolCallPart[] {
  return content.filter((part) => part.kind === 'tool_call')
}

/** The results in call order. A call without a result gets a placeholder, and a result without a call is dropped. */
function repaired(answer: AssistantTurn, next: Turn | undefined, blocksOf: (turn: Turn) => TurnBlocks): TurnBlocks {
  const known = next?.kind === 'tool_results' ? [...next.results] : []
  const results = callsOf(answer).map((call) => {
    const at = known.findIndex((other) => other.toolCallId === call.toolCallId)
    return at === -1 ? missing(call) : (known.splice(at, 1)[0] ?? missing(call))
  })
  return results.length === 0 ? { role: 'user', blocks: [] } : blocksOf({ kind: 'tool_results', results })
}

/** Stands in for a missing result. Without it, every later request would fail. */
function missing({ toolCallId, toolName, freeForm }: ToolCallPart): ToolResultsTurn['results'][number] {
  return { toolCallId, toolName, ...(freeForm && { freeForm }), output: 'No result of this call was recorded.', isError: true }
}
