import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Select } from '../../ui/controls/select/select.tsx'
import styles from './settings.module.css'

/** The sections of the page in order, with their element ids. */
export const SECTIONS = [
  { id: 'settings-providers', title: 'Providers and keys' },
  { id: 'settings-defaults', title: 'New sessions' },
  { id: 'settings-limits', title: 'Limits' },
  { id: 'settings-appearance', title: 'Appearance' },
  { id: 'settings-computer', title: 'This computer' },
  { id: 'settings-storage', title: 'Storage' },
  { id: 'settings-doctor', title: 'Doctor' },
  { id: 'settings-rules', title: 'Rules' },
  { id: 'settings-hooks', title: 'Hooks' },
  { id: 'settings-mcp', title: 'MCP servers' },
  { id: 'settings-extensions', title: 'Commands and agents' },
  { id: 'settings-keys', title: 'Keys' },
] as const

export interface SettingsNavProps {
  readonly shown: string
  /** Marks a section and brings it into sight. */
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
