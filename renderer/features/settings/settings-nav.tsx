import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Select } from '../../ui/controls/select/select.tsx'
import { SECTIONS } from '../../ui/settings-sections.ts'
import styles from './settings.module.css'

export interface SettingsNavProps {
  readonly shown: string
  /** Marks a section and scrolls to it. */
  readonly onShow: (id: string) => void
}

/** The sections as one select, for narrow windows. */
export function SectionSelect({ shown, onShow }: SettingsNavProps): ReactNode {
  return (
    <span className={styles.sectionSelect}>
      <Select
        variant="field"
        label="Section"
        selected={shown}
        options={SECTIONS.map(({ id, title }) => ({ id, label: title }))}
        onSelect={onShow}
      />
    </span>
  )
}

export function SettingsNav({ shown, onShow }: SettingsNavProps): ReactNode {
  return (
    <ul className={styles.nav}>
      {SECTIONS.map(({ id, title }) => (
        <li key={id}>
          <button
            type="button"
            className={classNames(styles.link, id === shown && styles.shown)}
            aria-current={id === shown || undefined}
            data-page-focus={id === shown || undefined}
            onClick={() => onShow(id)}
          >
            {title}
          </button>
        </li>
      ))}
    </ul>
  )
}
