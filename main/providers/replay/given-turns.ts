import { commonForm } from './given-forms.ts'

type Fields = Readonly<Record<string, unknown>>

/** A turn with the results of its calls, wherever those stood. */
interface Entry {
  readonly turn: unknown
  readonly callIds: readonly unknown[]
  readonly results: unknown[]
}

/**
 * A conversation in common form, the results of each answer's calls in one turn right behind it: others give each a message of its own, put
 * them into the user's message, or let the user speak in between. Of a result whose call nobody made nothing is known; it stays where it is.
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

/** Behind the newest answer with such a call that has fewer results than calls of this id. */
function place(result: unknown, entries: Entry[]): void {
  const id = idOf(result)
  const count = (ids: readonly unknown[]): number => ids.filter((other) => other === id).length
  const asking = entries.findLast(({ callIds, results }) => count(callIds) > count(results.map(idOf)))
  if (asking) asking.results.push(result)
  else entries.push({ turn: { kind: 'tool_results', results: [result] }, callIds: [], results: [] })
}

/** A user's message in which results of calls stand, as Anthropic has it, in two: the results and what was said with them. */
function parted(turn: unknown): readonly unknown[] {
  if (!isFields(turn) || !Array.isArray(turn['content'])) return [turn]
  const isResult = (part: unknown): boolean => isFields(part) && (part['type'] ?? part['kind']) === 'tool_result'
  const results = turn['content'].filter(isResult)
  if (results.length === 0) return [turn]
  const rest = turn['content'].filter((part: unknown) => !isResult(part))
  return [{ kind: 'tool_results', results }, ...(rest.length === 0 ? [] : [{ ...turn, content: rest }])]
}

function callIdsIn(turn: unknown): readonly unknown[] {
  if (!isFields(turn) || turn['kind'] !== 'assistant' || !Array.isArray(turn['content'])) return []
  return turn['content'].flatMap((part: unknown) => (isFields(part) && part['kind'] === 'tool_call' ? [part['toolCallId']] : []))
}

const idOf = (result: unknown): unknown => (isFields(result) ? result['toolCallId'] : undefined)

function isResults(turn: unknown): turn is { readonly results: readonly unknown[] } {
  return isFields(turn) && turn['kind'] === 'tool_results' && Array.isArray(turn['results'])
}

const isFields = (value: unknown): value is Fields => value !== null && typeof value === 'object' && !Array.isArray(value)
