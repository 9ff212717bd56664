import { ChevronDown, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { dragFile } from '../../state/commands/files/dragged-files.ts'
import { mentionFile, viewFile } from '../../state/commands/files/file-actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import { useFileEntries } from '../../state/hooks/use-file-actions.ts'
import { indexAfterKey, vertical } from '../../ui/arrow-keys.ts'
import { classNames } from '../../ui/class-names.ts'
import { PointerMenu, type PointerPlace, useContextMenu } from '../../ui/controls/pointer-menu.tsx'
import { useLongList } from '../../ui/hooks/use-long-list.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { foreign } from '../../ui/text/exact-text.tsx'
import styles from './files.module.css'
import { type FileStates, stateWord } from './use-file-states.ts'
import type { Folders, TreeRow } from './use-folders.ts'

export interface FileTreeProps {
  readonly sessionId: SessionId
  readonly folders: Pick<Folders, 'setOpen'> & { readonly rows: readonly TreeRow[] }
  readonly states: FileStates
  /** The path that the viewer shows, relative to the folder. Null for none. */
  readonly shown: string | null
  readonly scroll: RefObject<HTMLElement | null>
}

/** The files of a session's place. Only the visible rows are rendered. */
export function FileTree({ sessionId, folders: { rows, setOpen }, states, shown, scroll }: FileTreeProps): ReactNode {
  const desk = useDesk()
  const keys = useMemo(() => rows.map(({ path }) => path), [rows])
  const [active, setActive] = useState<string | null>(shown)
  const reached = active !== null && keys.includes(active) ? active : (keys[0] ?? null)
  const {
    rows: drawn,
    rest,
    list,
    measure,
    onFocus,
    hold,
  } = useLongList({ scroll, keys, rowHeight: 28, keep: reached === null ? [] : [reached] })
  const focus = (at: number): void => {
    const path = keys[at]
    if (path === undefined) return
    flushSync(() => {
      hold(path)
      setActive(path)
    })
    list.current?.querySelector<HTMLElement>(`[data-index="${at}"]`)?.focus()
  }
  const press = ({ path, entry }: TreeRow): void => {
    setActive(path)
    if (entry.kind === 'folder') setOpen(path, !entry.isOpen)
    if (entry.kind === 'file') viewFile(desk, { sessionId, path })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = rows.findIndex(({ path }) => path === reached)
    const row = rows[at]
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const to = indexAfterKey(event.key, vertical, at, rows.length) ?? sideways(event.key, rows, at)
    if (to !== null) focus(to)
    else if (event.key === 'ArrowRight' && row.entry.kind === 'folder') setOpen(row.path, true)
    else if (event.key === 'ArrowLeft' && row.entry.kind === 'folder') setOpen(row.path, false)
    else if (event.key === 'Enter' || event.key === ' ') press(row)
    else return
    event.preventDefault()
  }
  return (
    <div ref={list} role="tree" aria-label="Files" tabIndex={-1} style={{ paddingBottom: rest }} onFocus={onFocus} onKeyDown={onKeyDown}>
      {drawn.map(({ index, gap }) => {
        const row = rows[index]
        return (
          row && (
            <Row
              key={row.path}
              ref={measure}
              sessionId={sessionId}
              row={row}
              index={index}
              gap={gap}
              state={states.get(row.path)}
              isShown={row.path === shown}
              isReached={row.path === reached}
              onPress={() => press(row)}
            />
          )
        )
      })}
    </div>
  )
}

/** Right enters an open folder, and Left goes from an entry to its folder. Null for other keys, and if there is no such row. */
function sideways(key: string, rows: readonly TreeRow[], at: number): number | null {
  const row = rows[at]
  const next = rows[at + 1]
  if (!row) return null
  if (key === 'ArrowRight' && row.entry.kind === 'folder' && row.entry.isOpen && next && next.level > row.level) return at + 1
  if (key !== 'ArrowLeft' || (row.entry.kind === 'folder' && row.entry.isOpen)) return null
  const above = rows.slice(0, at).findLastIndex(({ level }) => level < row.level)
  return above === -1 ? null : above
}

interface RowProps {
  readonly ref: (row: Element | null) => void
  readonly sessionId: SessionId
  readonly row: TreeRow
  readonly index: number
  readonly gap: number
  readonly state: Parameters<typeof stateWord>[0] | undefined
  readonly isShown: boolean
  readonly isReached: boolean
  readonly onPress: () => void
}

function Row({ ref, sessionId, row, index, gap, state, isShown, isReached, onPress }: RowProps): ReactNode {
  const { entry, level, name } = row
  const menu = useContextMenu(entry.kind === 'note' ? undefined : (at) => <RowMenu sessionId={sessionId} row={row} at={at} />)
  return (
    <>
      {menu.node}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree handles the keys */}
      <div
        ref={ref}
        role="treeitem"
        className={classNames(styles.row, isShown && styles.shown, entry.kind === 'note' && styles.note)}
        style={{ marginTop: gap, paddingLeft: 12 + (level - 1) * 14 }}
        aria-level={level}
        aria-selected={isShown}
        aria-expanded={entry.kind === 'folder' ? entry.isOpen : undefined}
        tabIndex={isReached ? 0 : -1}
        data-index={index}
        data-tip={row.path}
        draggable={entry.kind !== 'note'}
        onDragStart={({ dataTransfer }) => dragFile({ sessionId, path: row.path }, dataTransfer)}
        onClick={onPress}
        onContextMenu={menu.onContextMenu}
      >
        <span className={styles.fold}>
          {entry.kind === 'folder' && <Icon glyph={entry.isOpen ? ChevronDown : ChevronRight} size={14} />}
        </span>
        <span className={classNames('clip', entry.kind !== 'note' && styles.name)}>{foreign(name)}</span>
        {state !== undefined && <span className={styles.state}>{entry.kind === 'folder' ? '•' : stateWord(state)}</span>}
      </div>
    </>
  )
}

function RowMenu({ sessionId, row, at }: Pick<RowProps, 'sessionId' | 'row'> & { readonly at: PointerPlace }): ReactNode {
  const desk = useDesk()
  const named = { sessionId, path: row.path }
  const entries = useFileEntries(named, row.path)
  const ofFolder = [
    { kind: 'item', id: 'mention', label: 'Add to the message', onSelect: () => mentionFile(desk, named) },
    { kind: 'item', id: 'copy-path', label: 'Copy the path', onSelect: () => void navigator.clipboard.writeText(row.path) },
  ] as const
  return <PointerMenu label={row.name} {...at} entries={row.entry.kind === 'folder' ? ofFolder : entries} />
}
