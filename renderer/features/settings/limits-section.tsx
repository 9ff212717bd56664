import type { ReactNode } from 'react'
import type { Settings } from '../../../shared/api/setting-fields.ts'
import { NumberSettingLine } from './number-setting-line.tsx'
import { SettingSection } from './setting-section.tsx'
import { SECTIONS } from '../../ui/settings-sections.ts'
import type { Changing } from './use-setting-change.ts'
import { VariablesSetting } from './variables-setting.tsx'

export interface LimitsSectionProps {
  readonly settings: Settings
  readonly change: Changing['change']
}

const TOKENS = { noun: 'a number of tokens', unit: 'tokens', least: 1, most: 1_000_000_000_000, digits: 0, empty: 'no limit' } as const
const DOLLARS = { noun: 'an amount in dollars', unit: '$', least: 0.01, most: 1_000_000, digits: 2, empty: 'no limit' } as const
const PAID = 'While this is set, models with an unknown price are not used.'

/** Limits of turns, sessions, answers and commands. A limit of 0 in the settings means no limit and is shown as an empty field. */
export function LimitsSection({ settings, change }: LimitsSectionProps): ReactNode {
  const { maxRounds, turnBudgetTokens, turnBudgetUsd, budgetTokens, budgetUsd, idleLimitMs, retryForMs, readingSubagents, commandLimitMs } =
    settings
  return (
    <SettingSection
      section={SECTIONS.limits}
      lede="Checked before each request; the work of subagents counts too. A turn that reaches a limit stops, keeps what was done and asks whether to continue."
    >
      <NumberSettingLine
        title="Rounds per turn"
        words="After this many requests to the model, the turn stops and asks whether to continue. 200 unless you change it."
        noun="a number of rounds"
        unit="rounds"
        least={1}
        most={10_000}
        digits={0}
        empty={null}
        value={maxRounds}
        onChange={(rounds) => rounds !== null && change({ maxRounds: rounds })}
      />
      <NumberSettingLine
        title="Tokens per turn"
        words="All tokens sent and received between your message and the end of the work on that message."
        {...TOKENS}
        value={turnBudgetTokens || null}
        onChange={(tokens) => change({ turnBudgetTokens: tokens ?? 0 })}
      />
      <NumberSettingLine
        title="Cost per turn"
        words={`In US dollars. ${PAID}`}
        {...DOLLARS}
        value={turnBudgetUsd || null}
        onChange={(dollars) => change({ turnBudgetUsd: dollars ?? 0 })}
      />
      <NumberSettingLine
        title="Tokens per session"
        words="Sent and received, over all turns."
        {...TOKENS}
        value={budgetTokens || null}
        onChange={(tokens) => change({ budgetTokens: tokens ?? 0 })}
      />
      <NumberSettingLine
        title="Cost per session"
        words={`In US dollars, over all turns. ${PAID}`}
        {...DOLLARS}
        value={budgetUsd || null}
        onChange={(dollars) => change({ budgetUsd: dollars ?? 0 })}
      />
      <NumberSettingLine
        title="Stalled answers"
        words="After this long without data, an answer counts as stalled and is requested again. 300 s unless you change it."
        noun="a number of seconds"
        unit="s"
        least={1}
        most={86_400}
        digits={0}
        empty={null}
        value={Math.round(idleLimitMs / 1000)}
        onChange={(seconds) => seconds !== null && change({ idleLimitMs: seconds * 1000 })}
      />
      <NumberSettingLine
        title="Retry failed requests"
        words="How long a request is repeated after an overload, a rate limit or a lost connection. 0: two retries only. 600 s unless you change it."
        noun="a number of seconds"
        unit="s"
        least={0}
        most={3_600}
        digits={0}
        empty={null}
        value={Math.round(retryForMs / 1000)}
        onChange={(seconds) => seconds !== null && change({ retryForMs: seconds * 1000 })}
      />
      <NumberSettingLine
        title="Parallel subagents"
        words="For subagents that only read. The same number of subagents that write can also work at once, each in its own layer. Without layers, only one of these works at a time. 3 unless you change it."
        noun="a whole number"
        unit="at a time"
        least={1}
        most={16}
        digits={0}
        empty={null}
        value={readingSubagents}
        onChange={(count) => count !== null && change({ readingSubagents: count })}
      />
      <NumberSettingLine
        title="Command time limit"
        words="For commands that set no limit of their own. If empty, the model family’s default limit applies: 10 s or 120 s."
        noun="a number of seconds"
        unit="s"
        least={1}
        most={600}
        digits={0}
        empty="the default limit"
        value={commandLimitMs === 0 ? null : Math.round(commandLimitMs / 1000)}
        onChange={(seconds) => change({ commandLimitMs: (seconds ?? 0) * 1000 })}
      />
      <VariablesSetting settings={settings} change={change} />
    </SettingSection>
  )
}
