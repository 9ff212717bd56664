import { Check, ListFilter, PanelLeft, Plus, Search, Settings2 } from 'lucide-react'
import { type ReactNode, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import { chooseFolder } from '../../state/commands/actions.ts'
import { report } from '../../state/commands/attempt-request.ts'
import { fold } from '../../state/commands/palette-commands.ts'
import { useDesk, useView } from '../../state/desk-context.ts'
import type { View } from '../../state/stores/view-store.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Pane, PaneHead, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { Menu } from '../../ui/controls/menu.tsx'
import { groupsOf } from './session-groups.tsx'
import { SessionRows } from './session-rows.tsx'
import styles from './sessions.module.css'
import { counted } from '../../ui/format.ts'
import { Dot } from '../../ui/marks/dot.tsx'

/** All sessions, grouped by project or day. Sessions that need the user come first. */
export function SessionsPane(): ReactNode {
  const desk = useDesk()
  const known = useStore(desk.list, (list) => list.known)
  const arranged = useStore(desk.list, (list) => list.arranged)
  const unreadable = useStore(desk.list, (list) => list.unreadable)
  const seen = useView(({ seen: to, dismissed }) => ({ seen: to, dismissed }))
  const flags = useStore(desk.flags)
  const grouping = useView((view) => view.grouping)
  const groups = useMemo(() => groupsOf(arranged.values(), seen, flags, grouping), [arranged, seen, flags, grouping])
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
      <PaneScroll label="All sessions" padded ref={scroll}>
        {unreadable && (
          <EmptyState>
            The stored sessions cannot be read. What was kept: {unreadable.kept} What to do: {unreadable.todo}
          </EmptyState>
        )}
        {known && !unreadable && arranged.size === 0 && (
          <EmptyState>No sessions yet. The first one appears here when you open a folder.</EmptyState>
        )}
        <SessionRows scroll={scroll} groups={groups} />
      </PaneScroll>
      <footer className={styles.foot}>
        <Button variant="quiet" block icon={Search} keys="Mod+Shift+F" onPress={() => desk.view.setState({ page: 'history', sought: '' })}>
          Search
        </Button>
        <Button variant="quiet" block icon={Settings2} keys="Mod+," onPress={() => desk.view.setState({ page: 'settings' })}>
          Settings
        </Button>
        <Proof />
      </footer>
    </Pane>
  )
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

/** The number of stored sessions and of listed sessions, so that the user notices when sessions are missing. */
function Proof(): ReactNode {
  const desk = useDesk()
  const health = useStore(desk.app, (app) => app.health)
  const isConnected = useStore(desk.connection.state, ({ kind }) => kind === 'open')
  // Sessions and subagents are counted separately, because subagents are listed with their parent.
  const arranged = useStore(desk.list, (list) => list.arranged)
  const own = useMemo(() => [...arranged.values()].filter(({ parent }) => parent === null).length, [arranged])
  const children = arranged.size - own
  const isReadable = useStore(desk.list, ({ unreadable }) => unreadable === null)
  if (!health) return null
  // Without a connection, the last counts may be outdated.
  if (!isConnected)
    return (
      <p className={styles.proof}>
        <Dot state="failed" word="Unknown while disconnected" />
        Unknown while disconnected
      </p>
    )
  if (!isReadable)
    return (
      <p className={styles.proof}>
        <Dot state="failed" word="Not everything is on disk and listed" />
        Stored sessions cannot be read
      </p>
    )
  const isSound = health.trouble === null && health.onDisk === health.listed
  if (isSound && own === 0) return null
  return (
    <p className={styles.proof}>
      <Dot state={isSound ? 'proven' : 'failed'} word={isSound ? 'All on disk' : 'Not everything is on disk and listed'} />
      {isSound
        ? `${counted(own, 'session')}${children === 0 ? ', all saved' : ` and ${counted(children, 'subagent')}`} on disk`
        : `${counted(health.listed, 'session')} in the list, ${health.onDisk} on disk`}
    </p>
  )
}
