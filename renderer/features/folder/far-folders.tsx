import { FolderOpen } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import type { FoundMachine } from '../../../shared/places/places-api.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { FolderList } from './folder-list.tsx'
import { useFolderChoice } from './use-folder-choice.ts'
import styles from './places.module.css'

interface FarFoldersProps {
  readonly name: string
  readonly place: string
  readonly found: FoundMachine
  /** The folder of a new container or pod, which is typed at first. Null for a machine that already existed. */
  readonly folder: string | null
}

/** Chooses a folder on a connected machine. The path is typed or completed, as for a folder of this computer. */
export function FarFolders({ name, place, found, folder }: FarFoldersProps): ReactNode {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const { typed, exists, options, active, opening, trouble, setActive, type, open, openChosen, onKeyDown } = useFolderChoice(
    field,
    found.home,
    place,
    folder ?? '',
  )
  return (
    <>
      <div className={styles.path}>
        <Icon glyph={FolderOpen} />
        <span className="soft">{name}:</span>
        <input
          ref={field}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user chose this machine, and types a path next
          autoFocus
          role="combobox"
          aria-label={`Path of the folder on ${name}`}
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
          aria-invalid={trouble !== null || undefined}
          placeholder={found.home}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          value={typed}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      {trouble && (
        <div className={styles.trouble} role="alert">
          <ErrorNotice happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />
        </div>
      )}
      <FolderList
        id={id}
        options={options}
        none={trouble ? null : exists ? 'This folder can be opened.' : 'There is no folder with this path.'}
        active={active}
        home={found.home}
        onActive={setActive}
        onOpen={open}
      />
      <footer className={styles.foot}>
        <p className="meta">Tab completes, Enter opens. Nothing in the folder is read until you trust it.</p>
        <Button
          className="push"
          busy={opening}
          busyWord="Opening"
          disabledReason={typed.trim() === '' && active < 0 ? 'No path yet' : null}
          onPress={openChosen}
        >
          Open folder
        </Button>
      </footer>
    </>
  )
}
