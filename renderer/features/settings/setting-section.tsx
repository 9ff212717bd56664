import type { ReactNode } from 'react'
import type { SECTION_LIST } from '../../ui/settings-sections.ts'
import styles from './settings.module.css'

export interface SettingSectionProps {
  /** An entry of the navigation beside the page. */
  readonly section: (typeof SECTION_LIST)[number]
  /** Text below the title. */
  readonly lede?: ReactNode
  readonly children: ReactNode
}

/** A section of the settings page, with the title that the navigation links to. */
export function SettingSection({ section: { id, title }, lede, children }: SettingSectionProps): ReactNode {
  return (
    <section id={id} className={styles.section} aria-labelledby={`${id}-title`}>
      <h2 className="doc-title" id={`${id}-title`}>
        {title}
      </h2>
      {lede !== undefined && <p className={styles.lede}>{lede}</p>}
      {children}
    </section>
  )
}

export interface SettingLineProps {
  readonly title: string
  /** What the setting does, in a sentence. */
  readonly words?: string | undefined
  /** The control of the setting, aligned right. */
  readonly children: ReactNode
}

/** One setting: its name, its effect, its control. */
export function SettingLine({ title, words, children }: SettingLineProps): ReactNode {
  return (
    <div className={styles.line}>
      <div className={styles.lineWords}>
        <h3 className="strong">{title}</h3>
        {words !== undefined && <p className="soft">{words}</p>}
      </div>
      {children}
    </div>
  )
}
