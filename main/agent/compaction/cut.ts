import type { LoggedTurn } from '../../../shared/session/turns.ts'
import { estimateTokens } from './estimate.ts'

/**
 * How many of the newest turns stay as they are when the conversation is compacted: as many as `keepTokens` hold, beginning in front of an
 * answer or a message, never between calls and their results (T-08). Null: there is nothing in front of them to summarise.
 */
export function keptTurns(turns: readonly LoggedTurn[], keepTokens: number): number | null {
  let kept = 0
  let tokens = 0
  for (let from = turns.length - 1; from > 0; from--) {
    const turn = turns[from]
    if (turn === undefined) break
    tokens += estimateTokens([turn])
    if (tokens > keepTokens) break
    // Results alone would answer calls that are no longer there.
    if (turn.kind !== 'tool_results') kept = turns.length - from
  }
  return turns.length > 1 ? kept : null
}
