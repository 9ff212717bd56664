import { Check, Files, ListFilter, PanelLeft, Plus, Search, Settings2 } from 'lucide-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { chooseFolder } from '../../state/commands/actions.ts'
import { findFile } from '../../state/commands/files/file-actions.ts'
import { report } from '../../state/commands/attempt-request.ts'
import { fold } from '../../state/commands/palette-commands.ts'
import { useDesk, useView } from '../../state/desk-context.ts'
import type { View } from '../../state/stores/view-store.ts'
import { nameOf } from '../../state/stores/session-list.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Field } from '../../ui/controls/field.tsx'
import { Pane, PaneHead, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { Menu } from '../../ui/controls/menu.tsx'
import { groupsOf } from './session-groups.tsx'
import { SessionRows } from './session-rows.tsx'
import styles from './sessions.module.css'

/** All sessions, grouped by project or day. Sessions that need the user come first. */
export function SessionsPane(): ReactNode {
  const desk = useDesk()
  const known = useStore(desk.list, (list) => list.known)
  const arranged = useStore(desk.list, (list) => list.arranged)
  const unreadable = useStore(desk.list, (list) => list.unreadable)
  const seen = useView(({ seen: to, dismissed }) => ({ seen: to, dismissed }))
  const flags = useStore(desk.flags)
  const grouping = useView((view) => view.grouping)
  const [sought, setSought] = useState('')
  const groups = useMemo(() => groupsOf(named(arranged.values(), sought), seen, flags, grouping), [arranged, sought, seen, flags, grouping])
  const isOpen = useView(({ sessionId }) => sessionId !== null)
  const scroll = useRef<HTMLElement>(null)
  return (
    <Pane kind="sessions" label="Sessions">
      <PaneHead
        titleBar
        end={
          <>
            <Button variant="quiet" only icon={PanelLeft} label="Fold sessions" keys="Mod+B" onPress={() => fold(desk, 'sessions')} />
            <GroupingMenu />
            <Button
              variant="quiet"
              only
              icon={Plus}
              label="Open a folder"
              keys="Mod+O"
              onPress={() => void report(desk, chooseFolder(desk))}
            />
          </>
        }
      />
      {(arranged.size >= SEARCHED_FROM || sought !== '') && (
        <PaneHead level="bar">
          <Field
            className={styles.search}
            label="Find a session"
            type="search"
            icon={Search}
            value={sought}
            whileEmpty="Find a session"
            onChange={setSought}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || sought === '') return
              event.preventDefault()
              event.stopPropagation()
              setSought('')
            }}
          />
        </PaneHead>
      )}
      <PaneScroll label="All sessions" padded ref={scroll}>
        {unreadable && (
          <EmptyState>
            The stored sessions cannot be read. What was kept: {unreadable.kept} What to do: {unreadable.todo}
          </EmptyState>
        )}
        {known && !unreadable && arranged.size === 0 && (
          <EmptyState>No sessions yet. The first one appears here when you open a folder.</EmptyState>
        )}
        {sought !== '' && groups.length === 0 && <EmptyState>No session has these words in its name or project.</EmptyState>}
        <SessionRows scroll={scroll} groups={groups} />
      </PaneScroll>
      <footer className={styles.foot}>
        <Button
          variant="quiet"
          block
          icon={Files}
          keys="Mod+P"
          disabledReason={isOpen ? null : 'Open a folder first'}
          onPress={() => findFile(desk)}
        >
          Files
        </Button>
        <Button variant="quiet" block icon={Search} keys="Mod+Shift+F" onPress={() => desk.view.setState({ page: 'history', sought: '' })}>
          Search
        </Button>
        <Button variant="quiet" block icon={Settings2} keys="Mod+," onPress={() => desk.view.setState({ page: 'settings' })}>
          Settings
        </Button>
      </footer>
    </Pane>
  )
}

/** Minimum number of sessions for a search field. Fewer are found at a glance. */
const SEARCHED_FROM = 8

/** The sessions with these words in their title or project, ignoring case. */
function named(sessions: Iterable<SessionSummary>, sought: string): readonly SessionSummary[] {
  const words = sought.toLowerCase().split(/\s+/u).filter(Boolean)
  return [...sessions].filter(({ title, folder }) => words.every((word) => `${title} ${nameOf(folder)}`.toLowerCase().includes(word)))
}

/** Chooses how the list is grouped, and whether it includes archived sessions. */
function GroupingMenu(): ReactNode {
  const desk = useDesk()
  const { by, withArchived } = useView((view) => view.grouping)
  const set = (change: Partial<View['grouping']>): void => desk.view.setState(({ grouping }) => ({ grouping: { ...grouping, ...change } }))
  const archived = useStore(desk.flags, (flags) => flags.archived.size)
  return (
    <Menu
      label="Group the sessions"
      align="end"
      trigger={{ variant: 'quiet', only: true, icon: ListFilter, label: 'Group the sessions' }}
      entries={[
        {
          kind: 'item',
          id: 'project',
          label: 'By project',
          icon: by === 'project' ? Check : undefined,
          onSelect: () => set({ by: 'project' }),
        },
        { kind: 'item', id: 'day', label: 'By day', icon: by === 'day' ? Check : undefined, onSelect: () => set({ by: 'day' }) },
        { kind: 'rule', id: 'rule' },
        {
          kind: 'item',
          id: 'archived',
          label: withArchived ? 'Hide archived sessions' : 'Show archived sessions',
          disabledReason: archived === 0 && !withArchived ? 'None' : null,
          onSelect: () => set({ withArchived: !withArchived }),
        },
      ]}
    />
  )
}
