import type { ReactNode } from 'react'
import type { Settings } from '../../../shared/api/setting-fields.ts'
import { type Segment, Segmented } from '../../ui/controls/segmented.tsx'
import { SettingLine, SettingSection } from './setting-section.tsx'
import { SECTIONS } from '../../ui/settings-sections.ts'
import type { Changing } from './use-setting-change.ts'

const THEMES: readonly Segment<Settings['theme']>[] = [
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
  { id: 'system', label: 'System' },
]
const SIZES: readonly Segment<Settings['textSize']>[] = [
  { id: 'small', label: 'Small' },
  { id: 'normal', label: 'Normal' },
  { id: 'large', label: 'Large' },
]

export interface AppearanceSectionProps {
  readonly settings: Settings
  readonly change: Changing['change']
}

export function AppearanceSection({ settings, change }: AppearanceSectionProps): ReactNode {
  return (
    <SettingSection section={SECTIONS.appearance}>
      <SettingLine title="Theme" words="System follows this computer’s setting.">
        <Segmented label="Theme" segments={THEMES} selected={settings.theme} onSelect={(theme) => change({ theme })} />
      </SettingLine>
      <SettingLine title="Text size" words="Applies to every pane.">
        <Segmented label="Text size" segments={SIZES} selected={settings.textSize} onSelect={(textSize) => change({ textSize })} />
      </SettingLine>
    </SettingSection>
  )
}
