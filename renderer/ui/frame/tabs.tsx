/* oxlint-disable jsx-a11y/interactive-supports-focus -- the tabs have the focus, not the list */
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { classNames } from '../class-names.ts'
import { horizontal, indexAfterKey, vertical } from '../arrow-keys.ts'
import { Dot } from '../marks/dot.tsx'
import styles from './tabs.module.css'
import tabPanelStyles from './tab-panel.module.css'

export interface Tab<Id extends string> {
  readonly id: Id
  readonly label: string
  /** Text beside the tab in a fixed-width font: a count, "1/4". */
  readonly count?: string | undefined
  readonly keys?: string | undefined
  /** Whether something came into the tab since it was last shown. A dot says so. */
  readonly isNews?: boolean | undefined
}

export interface TabsProps<Id extends string> {
  /** The accessible name: "Inspector". */
  readonly label: string
  readonly tabs: readonly Tab<Id>[]
  readonly selected: Id
  readonly onSelect: (id: Id) => void
  /** Id of the `TabPanel` that the tabs fill. */
  readonly panelId: string
  /** `down` for the strip in a narrow window. */
  readonly direction?: 'across' | 'down' | undefined
  /** Whether this is a second set of tabs for the same panel, such as the strip beside a drawer. It gets no ids. */
  readonly echo?: boolean | undefined
}

/** Tabs with one tab stop. Arrow keys, Home and End move the focus and select. */
export function Tabs<Id extends string>({
  label,
  tabs,
  selected,
  onSelect,
  panelId,
  direction = 'across',
  echo = false,
}: TabsProps<Id>): ReactNode {
  const list = useRef<HTMLDivElement>(null)
  const keys = direction === 'down' ? vertical : horizontal
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const current = tabs.findIndex((tab) => tab.id === selected)
    const to = indexAfterKey(event.key, keys, current, tabs.length)
    const target = to === null ? undefined : tabs[to]
    if (to === null || target === undefined) return
    event.preventDefault()
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus()
    onSelect(target.id)
  }
  return (
    <div
      ref={list}
      className={classNames(styles.tabs, styles[direction])}
      role="tablist"
      aria-label={label}
      aria-orientation={direction === 'down' ? 'vertical' : 'horizontal'}
      onKeyDown={onKeyDown}
    >
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={echo ? undefined : `${panelId}-${tab.id}`}
          className={styles.tab}
          aria-selected={tab.id === selected}
          aria-controls={panelId}
          tabIndex={tab.id === selected ? 0 : -1}
          data-tip-keys={tab.keys}
          onClick={() => onSelect(tab.id)}
        >
          <span className={styles.label} data-label={tab.label}>
            {tab.label}
          </span>
          {tab.isNews === true && <Dot state="unread" />}
          {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
        </button>
      ))}
    </div>
  )
}

interface TabPanelProps {
  /** The `panelId` of the panel's `Tabs`. */
  readonly id: string
  /** The selected tab. */
  readonly tab: string
  readonly children: ReactNode
}

/** The content of the selected tab. */
export function TabPanel({ id, tab, children }: TabPanelProps): ReactNode {
  return (
    <div className={tabPanelStyles.panel} role="tabpanel" id={id} aria-labelledby={`${id}-${tab}`}>
      {children}
    </div>
  )
}
