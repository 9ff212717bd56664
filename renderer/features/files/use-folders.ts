import { useCallback, useEffect, useMemo, useState } from 'react'
import type { FolderEntry, ListedFolder } from '../../../shared/api/files.ts'
import { MAX_OPEN_FOLDERS } from '../../../shared/api/files.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { useDesk, useIsConnected } from '../../state/desk-context.ts'
import { useOneAtATime } from '../../ui/hooks/use-one-at-a-time.ts'

/** A line of the tree. `path` is relative to the folder of the session. */
export interface TreeRow {
  readonly path: string
  readonly name: string
  /** 1 for the entries of the folder itself. */
  readonly level: number
  readonly entry: { readonly kind: 'file' } | { readonly kind: 'folder'; readonly isOpen: boolean } | { readonly kind: 'note' }
}

export interface Folders {
  /** The visible lines, from top to bottom. Null until the folder has been read. */
  readonly rows: readonly TreeRow[] | null
  /** Why the folder was not read. */
  readonly trouble: Trouble | null
  readonly setOpen: (path: string, isOpen: boolean) => void
  /** Increases when something in the open folders may have changed. */
  readonly changes: number
}

const ROOT = ''
const NONE: ReadonlySet<string> = new Set()

/** The open folders of a session's place. Each is read when it is unfolded, and again after it changes. */
export function useFolders(sessionId: SessionId, file: string | null): Folders {
  const desk = useDesk()
  const isConnected = useIsConnected()
  const [open, setAll] = useState(() => desk.openFolders.get(sessionId) ?? NONE)
  const [listed, setListed] = useState<ReadonlyMap<string, ListedFolder>>(new Map())
  const [changes, setChanges] = useState(0)
  const write = (next: ReadonlySet<string>): void => {
    desk.openFolders.set(sessionId, next)
    setAll(next)
  }
  const [shown, setShown] = useState<string | null>(null)
  if (file !== shown) {
    setShown(file)
    const above = file === null ? [] : foldersAbove(file)
    if (above.some((path) => !open.has(path))) write(new Set([...open, ...above]))
  }
  const folders = useMemo(() => [ROOT, ...open].slice(0, MAX_OPEN_FOLDERS), [open])
  useEffect(() => {
    const kept = desk.connection.keep(async (client, signal) => {
      for await (const _ of client.files.changes({ sessionId, folders }, signal)) setChanges((count) => count + 1)
    })
    return () => kept.dispose()
  }, [desk, sessionId, folders])
  const read = useCallback(
    async (signal: AbortSignal) => {
      const { client } = desk.connection
      if (!client) return
      const readOne = async (path: string): Promise<void> => {
        const found = await client.files.folder({ sessionId, path }).catch(() => null)
        if (found && !signal.aborted) setListed((before) => new Map(before).set(path, found))
      }
      await Promise.all(folders.map(readOne))
    },
    [desk, sessionId, folders],
  )
  useOneAtATime(isConnected ? read : null, changes)
  const root = listed.get(ROOT)
  const rows = useMemo(() => (root?.ok === true ? rowsOf(listed, open) : null), [listed, root, open])
  return {
    rows,
    trouble: root?.ok === false ? root.trouble : null,
    changes,
    setOpen(path, isOpen) {
      const next = new Set(open)
      if (isOpen) next.add(path)
      else next.delete(path)
      write(next)
    },
  }
}

function rowsOf(listed: ReadonlyMap<string, ListedFolder>, open: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = []
  const add = (folder: string, level: number): void => {
    const found = listed.get(folder)
    if (!found) return
    if (!found.ok) {
      rows.push({ path: `${folder}/`, name: found.trouble.what, level, entry: { kind: 'note' } })
      return
    }
    for (const entry of found.entries) {
      const path = folder === ROOT ? entry.name : `${folder}/${entry.name}`
      const isOpen = open.has(path)
      rows.push({ path, name: entry.name, level, entry: entryOf(entry, isOpen) })
      if (entry.isFolder && isOpen) add(path, level + 1)
    }
    if (found.leftOut > 0)
      rows.push({
        path: `${folder}/`,
        name: `${found.leftOut.toLocaleString('en-US')} more: type to find them`,
        level,
        entry: { kind: 'note' },
      })
  }
  add(ROOT, 1)
  return rows
}

const entryOf = ({ isFolder }: FolderEntry, isOpen: boolean): TreeRow['entry'] => (isFolder ? { kind: 'folder', isOpen } : { kind: 'file' })

/** `a/b/c.ts` is below `a` and `a/b`. */
function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}
