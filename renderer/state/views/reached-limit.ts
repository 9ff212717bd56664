import { shortCount } from '../../../shared/lib/short-count.ts'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { counted, money } from '../../ui/format.ts'

/** Which part of its lease a subagent has used up: "reached its 2 turns". */
export function reachedLimit({ parent, spent }: Pick<SessionSummary, 'parent' | 'spent'>): string {
  const { turns = null, tokens = null, costUsd = null } = parent?.lease ?? {}
  if (turns !== null && (spent?.answers ?? 0) >= turns) return `reached its ${counted(turns, 'turn')}`
  if (tokens !== null && (spent?.tokens ?? 0) >= tokens) return `reached its ${shortCount(tokens)} tokens`
  if (costUsd !== null && (spent?.costUsd ?? 0) >= costUsd) return `reached its ${money(costUsd)}`
  return 'reached its limit'
}
