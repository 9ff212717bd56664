import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import type { Hello } from '../../../../shared/api/app.ts'
import type { Settings } from '../../../../shared/api/setting-fields.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Facts } from '../../../ui/notices/facts.tsx'
import { SECTIONS } from '../../../ui/settings-sections.ts'
import { Well } from '../../../ui/text/well.tsx'
import { SettingLine, SettingSection } from '../setting-section.tsx'
import { UpdatesSetting } from './updates-setting.tsx'
import type { Changing } from '../use-setting-change.ts'

export interface AboutSectionProps {
  readonly settings: Settings
  readonly change: Changing['change']
}

/** The version, new versions, and the licenses of everything that the app contains. */
export function AboutSection({ settings, change }: AboutSectionProps): ReactNode {
  const desk = useDesk()
  const hello = useStore(desk.app, (app) => app.hello)
  const [licenses, setLicenses] = useState<string | null>(null)
  const read = async (): Promise<void> => {
    const answer = await desk.connection.client?.app.licenses({}).catch(() => null)
    setLicenses(answer?.text ?? NOT_READ)
  }
  return (
    <SettingSection section={SECTIONS.about}>
      <Facts
        facts={[
          { term: 'Version', fact: hello ? versionOf(hello) : '' },
          { term: 'Logs', fact: hello ? `${hello.dataFolder}/crashes, without keys; nothing is sent anywhere` : '' },
        ]}
      />
      <UpdatesSetting wanted={settings.updates} change={change} />
      <SettingLine title="Licenses" words="Countersign is under the MIT license. It contains packages and fonts of other authors.">
        <Button small expanded={licenses !== null} onPress={() => (licenses === null ? void read() : setLicenses(null))}>
          {licenses === null ? 'Show licenses' : 'Hide licenses'}
        </Button>
      </SettingLine>
      {licenses !== null && <Well label="Licenses" text={licenses} scrolls />}
    </SettingSection>
  )
}

const NOT_READ =
  'The licenses could not be read. The build writes them to dist/NOTICES.txt; without a build, each package in node_modules has its own.'

function versionOf({ version, shell }: Hello): string {
  return `${version}, ${shell === 'desktop' ? 'desktop app' : 'in a browser'}`
}
