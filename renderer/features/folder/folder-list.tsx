import { type ReactNode, useEffect } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { shownFolder } from '../../ui/format.ts'
import { MiddlePath } from '../../ui/text/middle-path.tsx'
import styles from './folder.module.css'
import type { FolderOption } from './folder-options.ts'

export interface FolderListProps {
  readonly id: string
  readonly options: readonly FolderOption[]
  /** Shown when there are no options. Null if nothing should be shown. */
  readonly none: string | null
  readonly active: number
  readonly home: string
  readonly onActive: (at: number) => void
  readonly onOpen: (folder: string) => void
}

/** Folders to choose from. The focus stays in the field, and `aria-activedescendant` names the active line. */
export function FolderList({ id, options, none, active, home, onActive, onOpen }: FolderListProps): ReactNode {
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  return (
    <>
      <ul id={`${id}-list`} className={styles.list} role="listbox" aria-label="Folders">
        {options.map(({ folder, group }, at) => (
          <FolderLine
            key={`${group}:${folder}`}
            id={`${id}-${at}`}
            folder={folder}
            home={home}
            heading={group === options[at - 1]?.group ? null : group}
            active={at === active}
            onActive={() => onActive(at)}
            onOpen={() => onOpen(folder)}
          />
        ))}
      </ul>
      {options.length === 0 && none !== null && <p className={styles.none}>{none}</p>}
    </>
  )
}

interface FolderLineProps {
  readonly id: string
  readonly folder: string
  readonly home: string
  readonly heading: string | null
  readonly active: boolean
  readonly onActive: () => void
  readonly onOpen: () => void
}

function FolderLine({ id, folder, home, heading, active, onActive, onOpen }: FolderLineProps): ReactNode {
  const shown = shownFolder(folder, home)
  return (
    <>
      {heading !== null && (
        <li className={styles.group} role="presentation">
          {heading}
        </li>
      )}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- focus and keys stay in the field */}
      <li
        id={id}
        role="option"
        aria-selected={active}
        className={classNames(styles.line, active && styles.active)}
        onPointerMove={onActive}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onOpen}
      >
        <MiddlePath path={shown} />
      </li>
    </>
  )
}
