import type { ReactNode } from 'react'
import type { Settings } from '../../../shared/api/setting-fields.ts'
import { NumberLine } from './number-line.tsx'
import { SECTIONS } from './settings-nav.tsx'
import styles from './settings.module.css'
import type { Changing } from './use-change.ts'
import { VariablesSetting } from './variables-setting.tsx'

export interface LimitsSectionProps {
  readonly settings: Settings
  readonly change: Changing['change']
}

const TOKENS = { noun: 'a number of tokens', unit: 'tokens', least: 1, most: 1_000_000_000_000, digits: 0, empty: 'no limit' } as const
const DOLLARS = { noun: 'an amount in dollars', unit: '$', least: 0.01, most: 1_000_000, digits: 2, empty: 'no limit' } as const
const PAID = 'A model whose price is not known is not asked while this is set.'

/** Where a turn, a session, an answer and a command end. 0 in the settings is an empty field here: no limit. */
export function LimitsSection({ settings, change }: LimitsSectionProps): ReactNode {
  const { id, title } = SECTIONS[2]
  const { maxRounds, turnBudgetTokens, turnBudgetUsd, budgetTokens, budgetUsd, idleLimitMs, readingSubagents, commandLimitMs } = settings
  return (
    <section id={id} className={styles.section} aria-labelledby={`${id}-title`}>
      <h2 className="doc-title" id={`${id}-title`}>
        {title}
      </h2>
      <p className={styles.lede}>
        Judged before each request, the work of subagents included. A turn that reaches one stops, keeps what was done and asks whether to
        go on.
      </p>
      <NumberLine
        title="Rounds of a turn"
        words="So many requests, then the turn stops and asks whether to go on. 30 unless you set another number."
        {...{ noun: 'a number of rounds', unit: 'rounds', least: 1, most: 10_000, digits: 0, empty: null }}
        value={maxRounds}
        onChange={(rounds) => rounds !== null && change({ maxRounds: rounds })}
      />
      <NumberLine
        title="Tokens of a turn"
        words="Sent and answered, from one message of yours to the end of its work."
        {...TOKENS}
        value={turnBudgetTokens || null}
        onChange={(tokens) => change({ turnBudgetTokens: tokens ?? 0 })}
      />
      <NumberLine
        title="Cost of a turn"
        words={`In US dollars. ${PAID}`}
        {...DOLLARS}
        value={turnBudgetUsd || null}
        onChange={(dollars) => change({ turnBudgetUsd: dollars ?? 0 })}
      />
      <NumberLine
        title="Tokens of a session"
        words="Sent and answered, over all of its turns."
        {...TOKENS}
        value={budgetTokens || null}
        onChange={(tokens) => change({ budgetTokens: tokens ?? 0 })}
      />
      <NumberLine
        title="Cost of a session"
        words={`In US dollars, over all of its turns. ${PAID}`}
        {...DOLLARS}
        value={budgetUsd || null}
        onChange={(dollars) => change({ budgetUsd: dollars ?? 0 })}
      />
      <NumberLine
        title="Silence of a model"
        words="So long without a byte, and an answer counts as stalled and is asked for again. 300 s unless you set another time."
        {...{ noun: 'a number of seconds', unit: 's', least: 1, most: 86_400, digits: 0, empty: null }}
        value={Math.round(idleLimitMs / 1000)}
        onChange={(seconds) => seconds !== null && change({ idleLimitMs: seconds * 1000 })}
      />
      <NumberLine
        title="Subagents at once"
        words="Of those that only read; one that may write is at work at a time. 3 unless you set another number."
        {...{ noun: 'a whole number', unit: 'at once', least: 1, most: 16, digits: 0, empty: null }}
        value={readingSubagents}
        onChange={(count) => count !== null && change({ readingSubagents: count })}
      />
      <NumberLine
        title="Time of a command"
        words="Of one that names no limit itself. Left empty: what the model’s family is used to, 10 s or 120 s."
        {...{ noun: 'a number of seconds', unit: 's', least: 1, most: 600, digits: 0, empty: 'its own' }}
        value={commandLimitMs === 0 ? null : Math.round(commandLimitMs / 1000)}
        onChange={(seconds) => change({ commandLimitMs: (seconds ?? 0) * 1000 })}
      />
      <VariablesSetting settings={settings} change={change} />
    </section>
  )
}
