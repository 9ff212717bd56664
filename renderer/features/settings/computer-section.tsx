import type { ReactNode } from 'react'
import type { Settings } from '../../../shared/api/setting-fields.ts'
import { EditorSetting } from './editor-setting.tsx'
import { NotificationsSetting } from './notifications-setting.tsx'
import { SECTIONS } from './settings-nav.tsx'
import styles from './settings.module.css'
import type { Changing } from './use-change.ts'

export interface ComputerSectionProps {
  readonly settings: Settings
  readonly change: Changing['change']
}

/** How Countersign works with the rest of this computer. */
export function ComputerSection({ settings, change }: ComputerSectionProps): ReactNode {
  const { id, title } = SECTIONS[4]
  return (
    <section id={id} className={styles.section} aria-labelledby={`${id}-title`}>
      <h2 className="doc-title" id={`${id}-title`}>
        {title}
      </h2>
      <NotificationsSetting chosen={settings.notifications} change={change} />
      <EditorSetting chosen={settings.editor} change={change} />
    </section>
  )
}
