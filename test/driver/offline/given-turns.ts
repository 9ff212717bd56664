import { isObject } from '../../../shared/lib/json.ts'
import { commonForm } from './common-form.ts'

/** A turn and the results of its calls, regardless of where they were in the conversation. */
interface Entry {
  readonly turn: unknown
  readonly callIds: readonly unknown[]
  readonly results: unknown[]
}

/**
 * A conversation in the common form: the results of an answer's calls are in one turn directly after it. Other agents use one message per
 * result, put results into the user's message, or have user messages in between. A result without a call keeps its position.
 */
export function givenTurns(history: unknown): unknown {
  if (!Array.isArray(history)) return history
  const entries: Entry[] = []
  for (const turn of history.flatMap(parted).map(commonForm)) {
    if (!isResults(turn)) entries.push({ turn, callIds: callIdsIn(turn), results: [] })
    else for (const result of turn.results) place(result, entries)
  }
  return entries.flatMap(({ turn, callIds, results }) => [
    turn,
    ...(results.length === 0
      ? []
      : [{ kind: 'tool_results', results: results.toSorted((a, b) => callIds.indexOf(idOf(a)) - callIds.indexOf(idOf(b))) }]),
  ])
}

/**
 * Adds the result to the newest answer that has a call with this id and no result for it yet. Ids may occur more than once in an answer.
 */
function place(result: unknown, entries: Entry[]): void {
  const id = idOf(result)
  const count = (ids: readonly unknown[]): number => ids.filter((other) => other === id).length
  const asking = entries.findLast(({ callIds, results }) => count(callIds) > count(results.map(idOf)))
  if (asking) asking.results.push(result)
  else entries.push({ turn: { kind: 'tool_results', results: [result] }, callIds: [], results: [] })
}

/** Divides a user message that contains results (Anthropic's form) into the results and the other parts. */
function parted(turn: unknown): readonly unknown[] {
  if (!isObject(turn) || !Array.isArray(turn['content'])) return [turn]
  const isResult = (part: unknown): boolean => isObject(part) && (part['type'] ?? part['kind']) === 'tool_result'
  const results = turn['content'].filter(isResult)
  if (results.length === 0) return [turn]
  const rest = turn['content'].filter((part: unknown) => !isResult(part))
  return [{ kind: 'tool_results', results }, ...(rest.length === 0 ? [] : [{ ...turn, content: rest }])]
}

function callIdsIn(turn: unknown): readonly unknown[] {
  if (!isObject(turn) || turn['kind'] !== 'assistant' || !Array.isArray(turn['content'])) return []
  return turn['content'].flatMap((part: unknown) => (isObject(part) && part['kind'] === 'tool_call' ? [part['toolCallId']] : []))
}

const idOf = (result: unknown): unknown => (isObject(result) ? result['toolCallId'] : undefined)

function isResults(turn: unknown): turn is { readonly results: readonly unknown[] } {
  return isObject(turn) && turn['kind'] === 'tool_results' && Array.isArray(turn['results'])
}
