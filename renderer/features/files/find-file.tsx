import { Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react'
import type { AppClient } from '../../../shared/api/contract.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { viewFile } from '../../state/commands/files/file-actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import { useAnswer } from '../../state/use-answer.ts'
import { indexAfterKey, vertical } from '../../ui/arrow-keys.ts'
import { Field } from '../../ui/controls/field.tsx'
import { ListRow } from '../../ui/frame/list-row.tsx'
import { Kbd } from '../../ui/marks/kbd.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { MiddlePath } from '../../ui/text/middle-path.tsx'
import styles from './files.module.css'

export interface FileSearch {
  readonly typed: string
  readonly setTyped: (typed: string) => void
  /** The files that match, best first. Null before the first answer, and when nothing is typed. */
  readonly paths: readonly string[] | null
  /** Opens the best match of the current text, even while `paths` still has the matches of an earlier one. */
  readonly openBest: () => void
}

/** Finds files by a part of their path. Until the answer arrives, the matches of the previous text are shown. */
export function useFileSearch(sessionId: SessionId): FileSearch {
  const desk = useDesk()
  const [typed, setTyped] = useState('')
  // The list of all paths is read before the first letter is typed.
  useEffect(() => void desk.connection.client?.files.find({ sessionId, typed: '' }).catch(() => {}), [desk, sessionId])
  const { last } = useAnswer(`${sessionId} ${typed}`, typed === '' ? null : (client) => find(client, sessionId, typed))
  const openBest = async (): Promise<void> => {
    const { client } = desk.connection
    const [best] = client ? await find(client, sessionId, typed).catch(() => []) : []
    // The user may have left the page in the meantime.
    if (best !== undefined && desk.view.getState().page === 'files') viewFile(desk, { sessionId, path: best })
  }
  return { typed, setTyped, paths: typed === '' ? null : last, openBest: () => void openBest() }
}

/** The files that match, best first, without folders. */
async function find(client: AppClient, sessionId: SessionId, typed: string): Promise<readonly string[]> {
  const { paths } = await client.files.find({ sessionId, typed })
  return paths.filter((path) => !path.endsWith('/'))
}

/** The field that finds a file. Enter opens the best match, and Down goes to the list. */
export function FindFileField({ search }: { readonly search: FileSearch }): ReactNode {
  const { typed, setTyped, openBest } = search
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Enter' && typed !== '') openBest()
    else if (event.key === 'Escape' && typed !== '') setTyped('')
    else if (event.key === 'ArrowDown')
      document.querySelector<HTMLElement>('[data-files] :is([role=treeitem][tabindex="0"], [data-found] button)')?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={styles.find} data-find-file="">
      <Field
        label="Find a file"
        type="search"
        icon={Search}
        value={typed}
        whileEmpty="Find a file"
        end={<Kbd keys="Mod+P" />}
        onChange={setTyped}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}

/** The files that match what was typed. */
export function FoundFiles({
  sessionId,
  paths,
  shown,
}: {
  readonly sessionId: SessionId
  readonly paths: readonly string[]
  readonly shown: string | null
}): ReactNode {
  const desk = useDesk()
  if (paths.length === 0) return <EmptyState>No file has a path like this.</EmptyState>
  const moveFocus = (event: KeyboardEvent<HTMLElement>): void => {
    const buttons = [...event.currentTarget.querySelectorAll('button')]
    const to = indexAfterKey(event.key, vertical, buttons.indexOf(document.activeElement as HTMLButtonElement), buttons.length)
    if (to === null) return
    event.preventDefault()
    buttons[to]?.focus()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the arrow keys of the rows in it
    <ul aria-label="Found files" data-found="" onKeyDown={moveFocus}>
      {paths.map((path) => (
        <li key={path}>
          <ListRow
            title={<MiddlePath path={path} className={styles.name} tip={false} />}
            tip={path}
            selected={path === shown}
            onPress={() => viewFile(desk, { sessionId, path })}
          />
        </li>
      ))}
    </ul>
  )
}
