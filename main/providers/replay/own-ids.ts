import { freeId } from '../../../shared/lib/free-id.ts'
import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { AssistantTurn, ToolResultsTurn, Turn } from '../../../shared/session/turns.ts'

/**
 * The turns with an id of its own for every call, as Anthropic wants it of a request: a call whose id came before gets another, and so does its
 * result in the turn behind it, the results of one id in the order of its calls. What our own sessions record has such ids already.
 */
export function withOwnIds(turns: readonly Turn[]): readonly Turn[] {
  const taken = new Set<string>()
  let given: Given[] = []
  return turns.map((turn) => {
    if (turn.kind === 'tool_results') return { ...turn, results: turn.results.map((result) => renamed(result, given)) }
    given = []
    return turn.kind === 'assistant' ? ownIdsIn(turn, taken, given) : turn
  })
}

/** A call's id as it came, and as it is. */
interface Given {
  readonly before: ToolCallId
  readonly now: ToolCallId
}

/** Notes in `taken` what is taken from here on, and in `given` the calls of this answer. */
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

/** Takes its call out of `given`: the next result of this id is another call's. */
function renamed<R extends ToolResultsTurn['results'][number]>(result: R, given: Given[]): R {
  const at = given.findIndex(({ before }) => before === result.toolCallId)
  const [call] = at === -1 ? [] : given.splice(at, 1)
  return call ? { ...result, toolCallId: call.now } : result
}
