import { groupedCount } from '../lib/short-count.ts'
import type { DurableEvent, Trouble } from './events.ts'

export type TurnLimit = Extract<DurableEvent, { kind: 'TURN_LIMIT' }>

/** The trouble to show for a limit that ended a turn. If its code is `session_budget`, resuming alone does not help. */
export function limitTrouble(event: TurnLimit): Trouble {
  const code = event.reason === 'tokens' || event.reason === 'cost' ? 'session_budget' : 'turn_limit'
  return { code, what: [limitWords(event), ...countedWords(event)].join(' '), kept: 'Everything done so far is kept.', todo: todoOf(event) }
}

/** What to do about the limit. A session's budget covers the complete session, so another message does not help. */
function todoOf({ reason }: TurnLimit): string {
  switch (reason) {
    case 'tokens':
    case 'cost':
      return 'Set a larger budget in Settings, then resume.'
    case 'turn_tokens':
    case 'turn_cost':
      return 'Resume to continue with the same budget again, or set a larger one in Settings.'
    case 'max_tool_rounds':
    case 'max_turns':
    case 'time':
      return 'Resume, or send a message.'
  }
}

function countedWords({ countedBy }: TurnLimit): readonly string[] {
  if (countedBy === undefined) return []
  return countedBy === 'proxy'
    ? ['Countersign counted the tokens in the answers of the agent’s model, and stops further requests to it.']
    : ['The agent itself reports what it spends, so it may have spent more.']
}

function limitWords({ reason, limit }: TurnLimit): string {
  switch (reason) {
    case 'max_tool_rounds':
      return `The turn has reached its limit of ${limit} rounds.`
    case 'max_turns':
      return `The session has reached its limit of ${limit} answers.`
    case 'tokens':
      return `The budget of ${groupedCount(limit)} tokens is used up.`
    case 'cost':
      return `The budget of ${dollars(limit)} is used up.`
    case 'turn_tokens':
      return `The budget of ${groupedCount(limit)} tokens for one turn is used up.`
    case 'turn_cost':
      return `The budget of ${dollars(limit)} for one turn is used up.`
    case 'time':
      return `The time of ${limit} min is used up.`
  }
}

/** Formats a limit in dollars with two decimals. A limit that is not a whole number of cents is shown exactly. */
function dollars(limit: number): string {
  return Math.round(limit * 100) === limit * 100 ? `$${limit.toFixed(2)}` : `$${limit}`
}
