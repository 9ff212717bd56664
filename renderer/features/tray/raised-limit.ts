import type { Settings } from '../../../shared/api/setting-fields.ts'
import { groupedCount } from '../../../shared/lib/short-count.ts'
import { tokensOf } from '../../../shared/session/content.ts'
import type { TurnLimit } from '../../../shared/session/limit-trouble.ts'
import type { SessionState } from '../../../shared/session/state.ts'

type RaisedSetting = 'budgetTokens' | 'budgetUsd' | 'turnBudgetTokens' | 'turnBudgetUsd' | 'maxRounds'

const SETTINGS: Readonly<Partial<Record<TurnLimit['reason'], RaisedSetting>>> = {
  tokens: 'budgetTokens',
  cost: 'budgetUsd',
  turn_tokens: 'turnBudgetTokens',
  turn_cost: 'turnBudgetUsd',
  max_tool_rounds: 'maxRounds',
}

/** A larger value for the setting that ended a turn. */
export interface RaisedLimit {
  readonly change: Partial<Record<RaisedSetting, number>>
  /** The new limit: "40,000 tokens". */
  readonly words: string
}

/**
 * The limit doubled, as often as needed to exceed what the session has spent. Null if no setting has this limit now, so that changing one
 * would not help.
 */
export function raisedLimit(
  { reason, limit }: Pick<TurnLimit, 'reason' | 'limit'>,
  settings: Pick<Settings, RaisedSetting>,
  { usage, costUsd }: Pick<SessionState, 'usage' | 'costUsd'>,
): RaisedLimit | null {
  const setting = SETTINGS[reason]
  if (setting === undefined || settings[setting] !== limit || limit <= 0) return null
  const spent = reason === 'tokens' ? tokensOf(usage) : reason === 'cost' ? (costUsd ?? 0) : 0
  let to = limit * 2
  while (to <= spent) to *= 2
  return { change: { [setting]: to }, words: wordsOf(setting, to) }
}

function wordsOf(setting: RaisedSetting, to: number): string {
  switch (setting) {
    case 'budgetTokens':
    case 'turnBudgetTokens':
      return `${groupedCount(to)} tokens`
    case 'budgetUsd':
    case 'turnBudgetUsd':
      return `$${to.toFixed(2)}`
    case 'maxRounds':
      return `${groupedCount(to)} rounds`
  }
}
