import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { Hello, StorageHealth } from '../../../shared/api/app.ts'
import { useDesk } from '../../state/desk-context.ts'
import { counted } from '../../ui/format.ts'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { Facts } from '../../ui/notices/facts.tsx'
import { SettingSection } from './setting-section.tsx'
import { SECTIONS } from './settings-nav.tsx'

/** The data folder and the number of stored sessions. */
export function StorageSection(): ReactNode {
  const desk = useDesk()
  const { hello, health } = useStore(desk.app)
  const unreadable = useStore(desk.list, (list) => list.unreadable)
  const trouble = health?.trouble ?? unreadable
  return (
    <SettingSection
      section={SECTIONS[5]}
      lede="Sessions, file contents and these settings are stored in one folder. Nothing in it is uploaded."
    >
      {trouble && <ErrorNotice framed happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
      <Facts
        facts={[
          { term: 'Data folder', fact: <span className="path">{hello?.dataFolder ?? ''}</span> },
          { term: 'Sessions', fact: unreadable ? 'Cannot be read' : health ? countsOf(health) : '' },
          { term: 'Version', fact: hello ? versionOf(hello) : '' },
        ]}
      />
    </SettingSection>
  )
}

function countsOf({ onDisk, listed }: StorageHealth): string {
  if (onDisk === listed) return `${counted(onDisk, 'session')} on disk, all of them listed`
  return `${counted(onDisk, 'session')} on disk, ${listed} listed`
}

function versionOf({ version, shell }: Hello): string {
  return `${version}, ${shell === 'desktop' ? 'desktop app' : 'in a browser'}`
}
