import type { ReactNode } from 'react'
import { shortCount } from '../../../shared/lib/short-count.ts'
import type { ModelFacts, ProviderFacts, SettingsState } from '../../../shared/api/settings.ts'
import { useCurrentFolder } from '../../state/desk-context.ts'
import { useSandbox } from '../../state/hooks/use-sandbox.ts'
import { courseOptions, effortOptions, modeOptions } from '../../ui/session-options.ts'
import type { SelectOption } from '../../ui/controls/select/select-option.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { Select } from '../../ui/controls/select/select.tsx'
import { calendarDay, money } from '../../ui/format.ts'
import { InstructionsSetting } from './instructions-setting.tsx'
import { PersonModelFactsFields } from './providers/person-model-facts.tsx'
import { UnlistedModel } from './providers/unlisted-model.tsx'
import { SettingLine, SettingSection } from './setting-section.tsx'
import { SECTIONS } from '../../ui/settings-sections.ts'
import type { Changing } from './use-setting-change.ts'

export interface DefaultsSectionProps {
  readonly state: SettingsState
  readonly change: Changing['change']
}

/** The defaults for new sessions. They can be changed later for each session. */
export function DefaultsSection({ state, change }: DefaultsSectionProps): ReactNode {
  const { settings, providers } = state
  const hasSandbox = useSandbox(useCurrentFolder() ?? '')?.kind === 'present'
  const models = providers.filter(({ available }) => available).flatMap((facts) => facts.models.map((model) => optionOf(facts, model)))
  const chosen = idOf(settings.provider, settings.model)
  const own = models.some((option) => option.id === chosen) || settings.model === '' ? [] : [{ id: chosen, label: settings.model }]
  return (
    <SettingSection section={SECTIONS.defaults} lede="The defaults for new sessions. You can change them for each session at any time.">
      <SettingLine
        title="Model"
        words={`Prices are in dollars per million input and output tokens. ${listWords(providers, settings.provider)}`}
      >
        <Select
          variant="field"
          label="Model of new sessions"
          whileEmpty={defaultModel(settings.provider, providers)}
          selected={settings.model === '' ? null : chosen}
          options={[...own, ...models]}
          onSelect={(option) => change(modelOf(option))}
          align="end"
        />
      </SettingLine>
      <UnlistedModel state={state} change={change} />
      <SettingLine title="Mode" words="What is allowed without your signature. Control files need it in every mode.">
        <Select
          variant="field"
          label="Mode of new sessions"
          selected={settings.mode}
          options={modeOptions(hasSandbox)}
          onSelect={(mode) => change({ mode })}
          align="end"
        />
      </SettingLine>
      <SettingLine title="Plan first" words="Whether a request begins with a plan that you sign.">
        <Select
          label="Plan first"
          selected={settings.course}
          options={courseOptions()}
          onSelect={(course) => change({ course })}
          align="end"
        />
      </SettingLine>
      <SettingLine
        title="Small plans"
        words="A plan of one step that touches at most one file and runs nothing is executed without asking."
      >
        <Switch
          label="Skip small plans"
          labelHidden
          on={settings.skipSmallPlans}
          onChange={(skipSmallPlans) => change({ skipSmallPlans })}
        />
      </SettingLine>
      <SettingLine title="Effort" words="How long a model may think before it answers.">
        <Select
          variant="field"
          label="Effort of new sessions"
          selected={settings.effort ?? 'default'}
          options={effortOptions()}
          onSelect={(effort) => change({ effort: effort === 'default' ? null : effort })}
          align="end"
        />
      </SettingLine>
      <PersonModelFactsFields state={state} change={change} />
      <InstructionsSetting kept={settings.userInstructions} change={change} />
    </SettingSection>
  )
}

/** The age of the list of models: "Models listed by Anthropic on 22 Nov 2026." */
function listWords(providers: readonly ProviderFacts[], chosen: ProviderFacts['provider']): string {
  const facts = providers.find(({ provider }) => provider === chosen)
  if (!facts?.modelList) return ''
  const day = calendarDay(facts.modelList.atMs)
  return facts.modelList.source === 'service' ? `Models listed by ${facts.label} on ${day}.` : `${facts.label}: built-in list of ${day}.`
}

/** The default model if the user has chosen none. */
function defaultModel(provider: ProviderFacts['provider'], providers: readonly ProviderFacts[]): string {
  const first = providers.find((facts) => facts.provider === provider)?.models[0]
  return first ? `${first.model}, the default` : 'Choose a model'
}

function optionOf({ provider, label }: ProviderFacts, { model, price, contextWindow }: ModelFacts): SelectOption<string> {
  return {
    id: idOf(provider, model),
    label: model,
    hint: contextWindow === null ? 'Context window not known' : `${shortCount(contextWindow)} tokens of context`,
    group: label,
    ...(price ? { aside: `${money(price.input)} / ${money(price.output)}` } : {}),
  }
}

/** Returns an id for a provider and its model, joined by a tab, because no model name contains a tab. */
function idOf(provider: string, model: string): string {
  return `${provider}\t${model}`
}

function modelOf(id: string): { readonly provider: ProviderFacts['provider']; readonly model: string } {
  const [provider = '', model = ''] = id.split('\t')
  return { provider: provider as ProviderFacts['provider'], model }
}
