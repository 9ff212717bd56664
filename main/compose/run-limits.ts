import type { Settings } from '../../shared/api/setting-fields.ts'
import { NO_LEASE } from '../../shared/session/settings/budget-lease.ts'
import type { TurnLimits } from '../agent/loop.ts'
import type { SettingsFile } from '../settings/settings-file.ts'
import type { AppParts } from './app-parts.ts'
import type { RuntimeParts } from './session-runtime.ts'

/**
 * The limits from this run's overrides or, if there are none, from the settings. Conversations are compacted at 92 % of the context
 * window.
 */
function turnLimits({ maxRounds }: Settings, { session: config = {}, limits }: AppParts): TurnLimits {
  const rounds = config.maxToolRoundsPerInput ?? maxRounds
  return { maxRounds: rounds, maxTurns: config.maxTurns ?? 0, detectLoops: true, compactAt: 92, ...limits }
}

type Limits = 'limits' | 'lease' | 'turnLease' | 'commandLimitMs' | 'readingSubagents'

/** The limits and budgets of sessions and turns. They come from the settings, unless the command line of this run gives others. */
export function limitsOf(settings: SettingsFile, parts: AppParts): Pick<RuntimeParts, Limits> {
  return {
    commandLimitMs: () => parts.session?.defaultCommandTimeout ?? (settings.current().commandLimitMs || undefined),
    readingSubagents: () => settings.current().readingSubagents,
    limits: () => turnLimits(settings.current(), parts),
    lease: () => {
      const { budgetTokens, budgetUsd } = settings.current()
      return { ...NO_LEASE, tokens: budgetTokens || null, costUsd: budgetUsd || null, ...parts.lease }
    },
    turnLease: () => {
      const { turnBudgetTokens, turnBudgetUsd } = settings.current()
      return { tokens: turnBudgetTokens || null, costUsd: turnBudgetUsd || null, ...parts.turnLease }
    },
  }
}
