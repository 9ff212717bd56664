import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { StorageHealth } from '../../../../shared/api/app.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { counted } from '../../../ui/format.ts'
import { ErrorNotice } from '../../../ui/notices/error-notice.tsx'
import { Facts } from '../../../ui/notices/facts.tsx'
import type { Settings } from '../../../../shared/api/setting-fields.ts'
import { NumberSettingLine } from '../number-setting-line.tsx'
import { LayersUsage } from './layers-usage.tsx'
import { StorageUsage } from './storage-usage.tsx'
import type { Changing } from '../use-setting-change.ts'
import { SettingSection } from '../setting-section.tsx'
import { SECTIONS } from '../../../ui/settings-sections.ts'

export interface StorageSectionProps {
  readonly settings: Settings
  readonly change: Changing['change']
}

const GB = 1_000_000_000

/** The data folder, what is stored in it, and what can be freed. */
export function StorageSection({ settings, change }: StorageSectionProps): ReactNode {
  const desk = useDesk()
  const { hello, health } = useStore(desk.app)
  const unreadable = useStore(desk.list, (list) => list.unreadable)
  const trouble = health?.trouble ?? unreadable
  return (
    <SettingSection
      section={SECTIONS.storage}
      lede="Sessions, file contents and these settings are stored in one folder. Nothing in it is uploaded."
    >
      {trouble && <ErrorNotice framed happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
      <Facts
        facts={[
          { term: 'Data folder', fact: <span className="path">{hello?.dataFolder ?? ''}</span> },
          { term: 'Sessions', fact: unreadable ? 'Cannot be read' : health ? countsOf(health) : '' },
        ]}
      />
      <NumberSettingLine
        title="Storage limit"
        words="Above it, this page suggests what to delete. Nothing is deleted automatically."
        noun="a size in GB"
        unit="GB"
        least={0.1}
        most={100_000}
        digits={2}
        empty="no limit"
        value={settings.storageQuota === 0 ? null : settings.storageQuota / GB}
        onChange={(size) => change({ storageQuota: Math.round((size ?? 0) * GB) })}
      />
      <LayersUsage />
      <StorageUsage quota={settings.storageQuota || null} isTroubleShown={trouble !== null} />
    </SettingSection>
  )
}

function countsOf({ onDisk, listed }: StorageHealth): string {
  if (onDisk === listed) return `${counted(onDisk, 'session')} on disk, all of them listed`
  return `${counted(onDisk, 'session')} on disk, ${listed} listed`
}
