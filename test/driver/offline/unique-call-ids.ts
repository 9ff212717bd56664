import { freeId, type ToolCallId } from '../../../shared/lib/ids.ts'
import type { AssistantTurn, ToolResultsTurn, Turn } from '../../../shared/session/conversation-turns.ts'

/**
 * Makes the ids of calls unique, which Anthropic requires. A repeated id is replaced in the call and in its result in the next turn; results
 * with the same id are matched to their calls in order. Turns of our own sessions already have unique ids.
 */
export function withUniqueCallIds(turns: readonly Turn[]): readonly Turn[] {
  const taken = new Set<string>()
  let given: Given[] = []
  return turns.map((turn) => {
    if (turn.kind === 'tool_results') return { ...turn, results: turn.results.map((result) => renamed(result, given)) }
    given = []
    return turn.kind === 'assistant' ? ownIdsIn(turn, taken, given) : turn
  })
}

/** A call's old and new id. */
interface Given {
  readonly before: ToolCallId
  readonly now: ToolCallId
}

/** Gives each call of an answer a unique id. Adds these ids to `taken`, and each call's old and new id to `given`. */
function ownIdsIn(turn: AssistantTurn, taken: Set<string>, given: Given[]): AssistantTurn {
  const content = turn.content.map((part) => {
    if (part.kind !== 'tool_call') return part
    const toolCallId = freeId(part.toolCallId, (id) => taken.has(id))
    taken.add(toolCallId)
    given.push({ before: part.toolCallId, now: toolCallId })
    return { ...part, toolCallId }
  })
  return { ...turn, content }
}

/** Renames the result and removes its call from `given`, because the next result with this id belongs to another call. */
function renamed<R extends ToolResultsTurn['results'][number]>(result: R, given: Given[]): R {
  const at = given.findIndex(({ before }) => before === result.toolCallId)
  const [call] = at === -1 ? [] : given.splice(at, 1)
  return call ? { ...result, toolCallId: call.now } : result
}
