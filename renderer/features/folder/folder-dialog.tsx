import { FolderOpen, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { Trouble } from '../../../shared/session/events.ts'
import { openFolder } from '../../state/actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Overlay } from '../../ui/frame/overlay.tsx'
import { rove, vertical } from '../../ui/hooks/roving.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import styles from './folder.module.css'
import { FolderList } from './folder-list.tsx'
import { folderOptions, goingOn } from './folder-options.ts'
import { useCompletion, useRecentFolders } from './use-completion.ts'

/** Chooses a folder by its path, where there is no dialog of the system: typed, completed, or one opened before. */
export function FolderDialog(): ReactNode {
  const desk = useDesk()
  const id = useId()
  const home = useStore(desk.app, ({ hello }) => hello?.home ?? '')
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(-1)
  const [opening, setOpening] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const { folders } = useCompletion(typed)
  const options = folderOptions(typed, useRecentFolders(), folders, home)
  const close = (): void => desk.view.setState(({ overlay }) => ({ overlay: overlay?.kind === 'folder' ? null : overlay }))

  const change = (text: string): void => {
    setTyped(text)
    setActive(-1)
    setTrouble(null)
  }
  const open = async (folder: string): Promise<void> => {
    if (folder.trim() === '' || opening) return
    setOpening(true)
    setTrouble(await openFolder(desk, folder.trim()))
    setOpening(false)
    field.current?.focus()
  }
  const goOn = (folder: string): void => {
    change(goingOn(folder))
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const to = event.key.startsWith('Arrow') ? rove(event.key, vertical, active, options.length) : null
    const completed =
      event.key === 'Tab' && !event.shiftKey ? (options[active] ?? options.find(({ group }) => group === 'Folders')) : undefined
    if (event.key === 'Enter') void open(options[active]?.folder ?? typed)
    else if (completed) goOn(completed.folder)
    else if (to === null) return
    else setActive(to)
    event.preventDefault()
  }
  return (
    <Overlay label="Open a folder" onClose={close} className={styles.dialog}>
      <div className={styles.path}>
        <Icon glyph={FolderOpen} />
        <input
          ref={field}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- asked for, and a path is what comes next
          autoFocus
          role="combobox"
          aria-label="Path of the folder"
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
          aria-describedby={trouble ? `${id}-trouble` : `${id}-keys`}
          aria-invalid={trouble !== null || undefined}
          placeholder="Path of a folder, such as ~/code/invoicing"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          value={typed}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <Button variant="quiet" only icon={X} label="Close" keys="Esc" onPress={close} />
      </div>
      {trouble && (
        <div className={styles.trouble} id={`${id}-trouble`} role="alert">
          <ErrorNotice happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />
        </div>
      )}
      <FolderList
        id={id}
        options={options}
        none={
          typed.trim() === '' ? 'Type a path. Folders that you have opened are listed here from then on.' : 'No folder goes on from here.'
        }
        active={active}
        home={home}
        onActive={setActive}
        onOpen={(folder) => void open(folder)}
      />
      <footer className={styles.foot}>
        <p className="meta" id={`${id}-keys`}>
          Tab completes, Enter opens. Nothing in it is read before you say that you trust it.
        </p>
        <Button
          busy={opening}
          busyWord="Opening"
          disabledReason={typed.trim() === '' && active < 0 ? 'No path yet' : null}
          onPress={() => void open(options[active]?.folder ?? typed)}
        >
          Open folder
        </Button>
      </footer>
    </Overlay>
  )
}
