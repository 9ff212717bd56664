import type { ReactNode } from 'react'
import type { SettingsState } from '../../../shared/api/settings.ts'
import { useCurrentFolder } from '../../state/desk-context.ts'
import { useSandbox } from '../../state/hooks/use-sandbox.ts'
import { Switch } from '../../ui/controls/switch.tsx'
import { courseOptions, effortOptions, modeOptions } from '../../ui/session-options.ts'
import { SECTIONS } from '../../ui/settings-sections.ts'
import { DefaultModel } from './default-model.tsx'
import { InstructionsSetting } from './instructions-setting.tsx'
import { PersonModelFactsFields } from './providers/person-model-facts.tsx'
import { UnlistedModel } from './providers/unlisted-model.tsx'
import { SelectSetting } from './select-setting.tsx'
import { SettingLine, SettingSection } from './setting-section.tsx'
import type { Changing } from './use-setting-change.ts'

export interface DefaultsSectionProps {
  readonly state: SettingsState
  readonly change: Changing['change']
}

/** The defaults for new sessions. They can be changed later for each session. */
export function DefaultsSection({ state, change }: DefaultsSectionProps): ReactNode {
  const { settings } = state
  const hasSandbox = useSandbox(useCurrentFolder() ?? '')?.kind === 'present'
  return (
    <SettingSection section={SECTIONS.defaults} lede="The defaults for new sessions. You can change them for each session at any time.">
      <DefaultModel state={state} change={change} />
      <UnlistedModel state={state} change={change} />
      <SelectSetting
        title="Mode"
        words="What is allowed without your signature. Control files need it in every mode."
        label="Mode of new sessions"
        selected={settings.mode}
        options={modeOptions(hasSandbox)}
        onSelect={(mode) => change({ mode })}
      />
      <SelectSetting
        title="Plan first"
        words="Whether a request begins with a plan that you sign."
        selected={settings.course}
        options={courseOptions()}
        onSelect={(course) => change({ course })}
      />
      <SettingLine
        title="Small plans"
        words="A plan of one step that touches at most one file and runs nothing is executed without asking."
      >
        <Switch label="Skip small plans" on={settings.skipSmallPlans} onChange={(skipSmallPlans) => change({ skipSmallPlans })} />
      </SettingLine>
      <SelectSetting
        title="Effort"
        words="How long a model may think before it answers."
        label="Effort of new sessions"
        selected={settings.effort ?? 'default'}
        options={effortOptions()}
        onSelect={(effort) => change({ effort: effort === 'default' ? null : effort })}
      />
      <PersonModelFactsFields state={state} change={change} />
      <InstructionsSetting kept={settings.userInstructions} change={change} />
    </SettingSection>
  )
}
