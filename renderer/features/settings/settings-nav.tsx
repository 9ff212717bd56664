import { Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Field } from '../../ui/controls/field.tsx'
import { Select } from '../../ui/controls/select/select.tsx'
import { SECTION_LIST } from '../../ui/settings-sections.ts'
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
        options={SECTION_LIST.map(({ id, title }) => ({ id, label: title }))}
        onSelect={onShow}
      />
    </span>
  )
}

/** A setting or section that contains the search text. */
interface Found {
  readonly words: string
  readonly section: string
  readonly element: HTMLElement
}

/** Elements that name a setting: headings of sections and settings, and row headers of tables. */
const NAMES = 'h2, h3, th[scope=row]'

/** Searches the page itself, so that each setting is found by the words that the user sees. */
function found(sought: string): readonly Found[] {
  const wanted = sought.trim().toLowerCase()
  if (wanted === '') return []
  return SECTION_LIST.flatMap(({ id, title }) =>
    [...(document.getElementById(id)?.querySelectorAll<HTMLElement>(NAMES) ?? [])].flatMap((element) => {
      const about = element.matches('h3') ? (element.parentElement?.textContent ?? '') : element.textContent
      return about.toLowerCase().includes(wanted) ? [{ words: element.textContent, section: title, element }] : []
    }),
  )
}

/** The sections, or what a search finds. */
export function SettingsNav({ shown, onShow }: SettingsNavProps): ReactNode {
  const [sought, setSought] = useState('')
  const results = found(sought)
  const go = ({ element }: Found): void => {
    element.scrollIntoView({ block: 'center' })
    const line = element.matches('h2') ? null : (element.parentElement?.parentElement ?? null)
    line?.querySelector<HTMLElement>('button, input, textarea')?.focus({ preventScroll: true })
  }
  const isSearching = sought.trim() !== ''
  return (
    <>
      <Field
        className={styles.search}
        type="search"
        icon={Search}
        label="Search the settings"
        whileEmpty="Search"
        value={sought}
        onChange={setSought}
        onKeyDown={(event) => {
          const [first] = results
          if (event.key === 'Enter' && first) go(first)
          else if (event.key === 'Escape' && sought !== '') setSought('')
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      {isSearching ? (
        <ul className={styles.nav} aria-label="Found settings">
          {results.map((one) => (
            <li key={`${one.section} ${one.words}`}>
              <button type="button" className={styles.link} onClick={() => go(one)}>
                <span className="clip">{one.words}</span> <span className="meta push">{one.section}</span>
              </button>
            </li>
          ))}
          {results.length === 0 && <li className={styles.nothing}>No setting has these words.</li>}
        </ul>
      ) : (
        <Sections shown={shown} onShow={onShow} />
      )}
    </>
  )
}

function Sections({ shown, onShow }: SettingsNavProps): ReactNode {
  return (
    <ul className={styles.nav}>
      {SECTION_LIST.map(({ id, title }) => (
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
