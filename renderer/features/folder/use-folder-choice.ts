import { type KeyboardEvent, type RefObject, useState } from 'react'
import type { Trouble } from '../../../shared/session/events.ts'
import { openFolder } from '../../state/commands/actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import { indexAfterKey, vertical } from '../../ui/arrow-keys.ts'
import { isComposing } from '../../ui/is-composing.ts'
import { type FolderOption, folderOptions, goingOn, meantPath } from './folder-options.ts'
import { useFolderCompletion, useRecentFolders } from './use-folder-completion.ts'

export interface FolderChoice {
  readonly typed: string
  /** Whether the typed path is a folder. */
  readonly exists: boolean
  readonly options: readonly FolderOption[]
  /** Index of the option that Enter opens. -1 for the typed path. */
  readonly active: number
  readonly opening: boolean
  readonly trouble: Trouble | null
  setActive(index: number): void
  type(text: string): void
  open(folder: string): void
  /** Opens the active option, or the typed path if no option is active. */
  openChosen(): void
  onKeyDown(event: KeyboardEvent): void
}

/**
 * State of the folder dialog. Tab completes, arrow keys choose, Enter opens. `place`: the machine, as an address without a folder. Empty for
 * this computer. Paths are shown without it. `first`: the initial text of the field.
 */
export function useFolderChoice(field: RefObject<HTMLInputElement | null>, home: string, place = '', first = ''): FolderChoice {
  const desk = useDesk()
  const [typed, setTyped] = useState(first)
  const [active, setActive] = useState(-1)
  const [opening, setOpening] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const path = meantPath(typed)
  const { folders, exists } = useFolderCompletion(withPlace(place, path))
  const options = folderOptions(path, foldersAt(place, useRecentFolders()), foldersAt(place, folders), home)

  const type = (text: string): void => {
    setTyped(text)
    setActive(-1)
    setTrouble(null)
  }
  const open = async (folder: string): Promise<void> => {
    if (folder.trim() === '' || opening) return
    setOpening(true)
    setTrouble(await openFolder(desk, withPlace(place, folder.trim())))
    setOpening(false)
    field.current?.focus()
  }
  const openChosen = (): void => void open(options[active]?.folder ?? path)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return
    const to = event.key.startsWith('Arrow') ? indexAfterKey(event.key, vertical, active, options.length) : null
    const completes = event.key === 'Tab' && !event.shiftKey
    const completed = completes ? (options[active] ?? options.find(({ group }) => group === 'Folders')) : undefined
    if (event.key === 'Enter') openChosen()
    else if (completed) {
      type(goingOn(completed.folder))
      field.current?.focus()
    } else if (to === null) return
    else setActive(to)
    event.preventDefault()
  }
  return { typed, exists, options, active, opening, trouble, setActive, type, open: (folder) => void open(folder), openChosen, onKeyDown }
}

function withPlace(place: string, path: string): string {
  if (place === '') return path
  return path === '' || path.startsWith('/') ? `${place}${path}` : `${place}/${path}`
}

/** The paths of the folders on this machine, without its address. */
function foldersAt(place: string, folders: readonly string[]): readonly string[] {
  if (place === '') return folders
  return folders.flatMap((folder) => (folder.startsWith(`${place}/`) ? [folder.slice(place.length).replace(/^\/~/u, '~')] : []))
}
