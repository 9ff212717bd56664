import { Fragment, type KeyboardEvent, type ReactNode, type RefObject, useMemo } from 'react'
import { flushSync } from 'react-dom'
import { indexAfterKey, vertical } from '../arrow-keys.ts'
import { type DrawnRow, useLongList } from '../hooks/use-long-list.ts'

export interface RowGroup<T> {
  readonly key: string
  /** Accessible name of the group. It is used even while the heading is not rendered. */
  readonly label: string
  readonly heading: ReactNode
  readonly rows: readonly T[]
}

export interface GroupedListProps<T> {
  /** The element that scrolls. */
  readonly scroll: RefObject<HTMLElement | null>
  readonly groups: readonly RowGroup<T>[]
  readonly keyOf: (row: T) => string
  readonly children: (row: T) => ReactNode
  /** Keys of rows that must always be rendered, such as the row that Tab reaches. */
  readonly keep: readonly string[]
  /** Whether arrow keys, Home and End move the focus from row to row, across groups. */
  readonly arrows?: boolean | undefined
  /** Class of each group. */
  readonly className?: string | undefined
}

/** A line of the list: a heading (`at` is null) or a row of a group. */
interface Line<T> {
  readonly key: string
  readonly group: RowGroup<T>
  readonly at: number | null
}

/** A grouped list of any length. Only visible rows are rendered. Screen readers get the position of each row. */
export function GroupedList<T>({ scroll, groups, keyOf, children, keep, arrows = false, className }: GroupedListProps<T>): ReactNode {
  const lines = useMemo(() => linesOf(groups, keyOf), [groups, keyOf])
  const keys = useMemo(() => lines.map(({ key }) => key), [lines])
  const { rows, rest, list, measure, onFocus, hold } = useLongList({ scroll, keys, rowHeight: 28, keep })
  const moveFocus = (event: KeyboardEvent<HTMLDivElement>): void => {
    const to = lineAfter(event, lines)
    if (to === null) return
    event.preventDefault()
    flushSync(() => hold(keys[to] ?? ''))
    list.current?.querySelector<HTMLElement>(`[data-index="${to}"] button`)?.focus()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles the arrow keys of the rows in it
    <div ref={list} style={{ paddingBottom: rest }} onFocus={onFocus} onKeyDown={arrows ? moveFocus : undefined}>
      {inGroups(rows, lines).map(({ group, drawn }) => (
        <section key={group.key} className={className} aria-label={group.label}>
          {drawn.map(({ index, gap }) =>
            lines[index]?.at === null ? (
              <div key={index} ref={measure} data-index={index} style={{ marginTop: gap }}>
                {group.heading}
              </div>
            ) : null,
          )}
          <ul>
            {drawn.map(({ index, gap }) => {
              const line = lines[index]
              const row = line && line.at !== null ? group.rows[line.at] : undefined
              if (!line || line.at === null || row === undefined) return <Fragment key={index} />
              const place = { 'aria-setsize': group.rows.length, 'aria-posinset': line.at + 1 }
              return (
                <li key={line.key} ref={measure} data-index={index} data-list-row="" style={{ marginTop: gap }} {...place}>
                  {children(row)}
                </li>
              )
            })}
          </ul>
        </section>
      ))}
    </div>
  )
}

function linesOf<T>(groups: readonly RowGroup<T>[], keyOf: (row: T) => string): readonly Line<T>[] {
  return groups.flatMap((group) => {
    const rows = group.rows.map((row, at) => ({ key: keyOf(row), group, at }))
    return group.heading === null ? rows : [{ key: `heading of ${group.key}`, group, at: null }, ...rows]
  })
}

interface DrawnGroup<T> {
  readonly group: RowGroup<T>
  readonly drawn: readonly DrawnRow[]
}

function inGroups<T>(rows: readonly DrawnRow[], lines: readonly Line<T>[]): readonly DrawnGroup<T>[] {
  const byGroup = Map.groupBy(rows, ({ index }) => lines[index]?.group ?? null)
  return [...byGroup].flatMap(([group, drawn]) => (group === null ? [] : [{ group, drawn }]))
}

/** Index of the line that an arrow key, Home or End moves to from the focused row. Null for other keys or without a focused row. */
function lineAfter<T>(event: KeyboardEvent<HTMLDivElement>, lines: readonly Line<T>[]): number | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return null
  const row = event.target instanceof HTMLButtonElement ? event.target.closest('[data-list-row]') : null
  if (row === null) return null
  const rows = lines.flatMap(({ at }, index) => (at === null ? [] : [index]))
  const to = indexAfterKey(event.key, vertical, rows.indexOf(Number(row.getAttribute('data-index'))), rows.length)
  return to === null ? null : (rows[to] ?? null)
}
