import { FolderOpen, X } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import { useStore } from 'zustand'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Overlay } from '../../ui/frame/dialogs/overlay.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import styles from './folder.module.css'
import { FolderList } from './folder-list.tsx'
import { useFolderChoice } from './use-folder-choice.ts'

/**
 * Countersign's own folder dialog, for when main cannot open the system's. The path is typed, completed, or chosen from the recent folders.
 */
export function FolderDialog(): ReactNode {
  const desk = useDesk()
  const id = useId()
  const home = useStore(desk.app, ({ hello }) => hello?.home ?? '')
  const field = useRef<HTMLInputElement>(null)
  const { typed, exists, options, active, opening, trouble, setActive, type, open, openChosen, onKeyDown } = useFolderChoice(field, home)
  const close = (): void => desk.view.setState(({ overlay }) => ({ overlay: overlay?.kind === 'folder' ? null : overlay }))

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
          // The placeholder is an example, because the label already names the field.
          placeholder="Path of a folder, such as ~/code/invoicing"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          value={typed}
          onChange={(event) => type(event.target.value)}
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
        none={trouble ? null : noneWords(typed, exists)}
        active={active}
        home={home}
        onActive={setActive}
        onOpen={open}
      />
      <footer className={styles.foot}>
        <p className="meta" id={`${id}-keys`}>
          Tab completes, Enter opens. Nothing in the folder is read until you trust it.
        </p>
        <Button variant="quiet" onPress={() => desk.view.setState({ overlay: { kind: 'place' } })}>
          Another machine…
        </Button>
        <Button
          busy={opening}
          busyWord="Opening"
          disabledReason={typed.trim() === '' && active < 0 ? 'No path yet' : null}
          onPress={openChosen}
        >
          Open folder
        </Button>
      </footer>
    </Overlay>
  )
}

function noneWords(typed: string, exists: boolean): string {
  if (typed.trim() === '') return 'Type a path. Folders you have opened will be listed here.'
  return exists ? 'This folder can be opened.' : 'There is no folder with this path.'
}
