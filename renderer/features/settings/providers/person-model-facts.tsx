import type { ReactNode } from 'react'
import type { SettingsState } from '../../../../shared/api/settings.ts'
import type { PersonModelFacts } from '../../../../shared/session/settings/model-facts.ts'
import { effortOptions } from '../../../ui/session-options.ts'
import { SelectSetting } from '../select-setting.tsx'
import { NumberSettingLine } from '../number-setting-line.tsx'
import type { Changing } from '../use-setting-change.ts'

const DOLLARS = { noun: 'an amount', unit: '$', least: 0, most: 100_000, digits: 2, empty: 'As known' } as const

/** Settings that apply only to the chosen model: its effort, its context window and its prices. */
export function PersonModelFactsFields({
  state,
  change,
}: {
  readonly state: SettingsState
  readonly change: Changing['change']
}): ReactNode {
  const { settings, providers } = state
  const models = providers.find(({ provider }) => provider === settings.provider)?.models ?? []
  const defaultModel = models[0]?.model ?? ''
  const model = settings.model === '' ? defaultModel : settings.model
  if (model === '' || settings.provider === 'rehearsal') return null
  const name = `${settings.provider}/${model}`
  const own = settings.modelFacts[name] ?? {}
  const set = (facts: PersonModelFacts): void => change({ modelFacts: { ...settings.modelFacts, [name]: facts } })
  const { price, ...withoutPrice } = own
  const priced = (input: number | null, output: number | null): void =>
    set(input === null && output === null ? withoutPrice : { ...own, price: { ...price, input: input ?? 0, output: output ?? 0 } })
  const { effort, ...withoutEffort } = own
  const efforts = effortOptions(models.find((facts) => facts.model === model)?.efforts).filter(({ id }) => id !== 'default')
  return (
    <>
      <SelectSetting
        title={`Effort of ${model}`}
        words="Used by new sessions with this model in place of the general effort."
        selected={effort ?? 'general'}
        options={[{ id: 'general', label: 'general effort' } as const, ...efforts]}
        onSelect={(chosen) => set(chosen === 'general' || chosen === 'default' ? withoutEffort : { ...own, effort: chosen })}
      />
      <NumberSettingLine
        title={`Context of ${model}`}
        words="Size of the context window in tokens. Set it if your server or your account has a different one."
        noun="a number of tokens"
        unit="tokens"
        least={1_000}
        most={100_000_000}
        digits={0}
        empty="As known"
        value={own.contextWindow ?? null}
        onChange={(tokens) => {
          const { contextWindow: _, ...others } = own
          set(tokens === null ? others : { ...own, contextWindow: tokens })
        }}
      />
      <NumberSettingLine
        title={`Input price of ${model}`}
        words="In US dollars per million tokens."
        {...DOLLARS}
        value={price?.input ?? null}
        onChange={(dollars) => priced(dollars, price?.output ?? null)}
      />
      <NumberSettingLine
        title={`Output price of ${model}`}
        words="In US dollars per million tokens."
        {...DOLLARS}
        value={price?.output ?? null}
        onChange={(dollars) => priced(price?.input ?? null, dollars)}
      />
    </>
  )
}
