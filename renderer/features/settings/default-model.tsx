import type { ReactNode } from 'react'
import type { ModelFacts, ProviderFacts, SettingsState } from '../../../shared/api/settings.ts'
import { shortCount } from '../../../shared/lib/short-count.ts'
import type { SelectOption } from '../../ui/controls/select/select-option.tsx'
import { calendarDay, money } from '../../ui/format.ts'
import { SelectSetting } from './select-setting.tsx'
import type { Changing } from './use-setting-change.ts'

export interface DefaultModelProps {
  readonly state: SettingsState
  readonly change: Changing['change']
}

interface ModelOption extends SelectOption<string> {
  readonly asks: { readonly provider: ProviderFacts['provider']; readonly model: string }
}

/** The model of new sessions: a model of any provider that can be used now. A chosen model that none of them lists stays chosen. */
export function DefaultModel({ state: { settings, providers }, change }: DefaultModelProps): ReactNode {
  const { provider, model } = settings
  const facts = providers.find((one) => one.provider === provider)
  const listed = providers.filter(({ available }) => available).flatMap((one) => one.models.map((each) => optionOf(one, each)))
  const selected = model === '' ? null : idOf(provider, model)
  const isMissing = selected !== null && !listed.some(({ id }) => id === selected)
  const options = isMissing ? [{ id: selected, label: model, asks: { provider, model } }, ...listed] : listed
  return (
    <SelectSetting
      title="Model"
      words={`Prices are in dollars per million input and output tokens. ${facts ? ageOfList(facts) : ''}`}
      label="Model of new sessions"
      whileEmpty={whileNoneIsChosen(facts)}
      selected={selected}
      options={options}
      onSelect={(id) => {
        const chosen = options.find((option) => option.id === id)
        if (chosen) change(chosen.asks)
      }}
    />
  )
}

/** "Models listed by Anthropic on 22 Nov 2026." */
function ageOfList({ label, modelList }: ProviderFacts): string {
  if (!modelList) return ''
  const day = calendarDay(modelList.atMs)
  return modelList.source === 'service' ? `Models listed by ${label} on ${day}.` : `${label}: built-in list of ${day}.`
}

function whileNoneIsChosen(facts: ProviderFacts | undefined): string {
  const first = facts?.models[0]
  return first ? `${first.model}, the default` : 'Choose a model'
}

function optionOf({ provider, label }: ProviderFacts, { model, price, contextWindow }: ModelFacts): ModelOption {
  return {
    id: idOf(provider, model),
    label: model,
    hint: contextWindow === null ? 'Context window not known' : `${shortCount(contextWindow)} tokens of context`,
    group: label,
    asks: { provider, model },
    ...(price ? { aside: `${money(price.input)} / ${money(price.output)}` } : {}),
  }
}

/** Provider and model, joined by a tab, because no model name contains a tab. */
const idOf = (provider: string, model: string): string => `${provider}\t${model}`
