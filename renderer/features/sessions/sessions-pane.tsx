import { PanelLeft, Plus, Search, Settings2 } from 'lucide-react'
import { type ReactNode, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { chooseFolder, newSession } from '../../state/commands/actions.ts'
import { report } from '../../state/commands/attempt.ts'
import { fold } from '../../state/commands/commands.ts'
import { useDesk, useView } from '../../state/desk-context.ts'
import { sessionsInNeed } from '../../state/views/needs.ts'
import { groupByProject, type ProjectGroup } from '../../state/stores/session-list.ts'
import { Button } from '../../ui/controls/button.tsx'
import type { RowGroup } from '../../ui/frame/grouped-list.tsx'
import { Pane, PaneHead, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { Kbd } from '../../ui/marks/kbd.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { type ListedSession, SessionRows } from './session-rows.tsx'
import styles from './sessions.module.css'
import { counted } from '../../ui/format.ts'
import { Dot } from '../../ui/marks/dot.tsx'

/** All sessions by project, those that need the person first. */
export function SessionsPane(): ReactNode {
  const desk = useDesk()
  const { known, sessions, unreadable } = useStore(desk.list)
  const seen = useView(({ seen: to, dismissed }) => ({ seen: to, dismissed }))
  const groups = useMemo(() => {
    const needs = sessionsInNeed(sessions.values(), seen)
    const inNeed = new Set<SessionSummary>(needs)
    const projects = groupByProject([...sessions.values()].filter((session) => !inNeed.has(session)))
    return [...(needs.length > 0 ? [needsGroup(needs)] : []), ...projects.map(projectGroup)]
  }, [sessions, seen])
  const scroll = useRef<HTMLElement>(null)
  return (
    <Pane kind="sessions" label="Sessions">
      <PaneHead
        titleBar
        end={
          <>
            <Button variant="quiet" only icon={PanelLeft} label="Fold sessions" keys="Mod+B" onPress={() => fold(desk, 'sessions')} />
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
        {known && !unreadable && sessions.size === 0 && (
          <EmptyState>No sessions yet. The first one appears here when you open a folder.</EmptyState>
        )}
        <SessionRows scroll={scroll} groups={groups} />
      </PaneScroll>
      <footer className={styles.foot}>
        <Button variant="quiet" block icon={Search} keys="Mod+Shift+F" onPress={() => desk.view.setState({ page: 'history' })}>
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

function needsGroup(sessions: readonly SessionSummary[]): RowGroup<ListedSession> {
  const heading = (
    <h3 className={styles.group} aria-label={NEEDS}>
      <span className="needs">{NEEDS}</span>
      <Kbd keys="Mod+J" className="push" />
    </h3>
  )
  return { key: NEEDS, label: NEEDS, heading, rows: sessions.map((session) => ({ session, withProject: true })) }
}

const NEEDS = 'Needs you'

function projectGroup({ folder, name, sessions }: ProjectGroup): RowGroup<ListedSession> {
  const rows = sessions.map((session) => ({ session, withProject: false }))
  return { key: folder, label: name, heading: <ProjectHeading folder={folder} name={name} />, rows }
}

function ProjectHeading({ folder, name }: { readonly folder: string; readonly name: string }): ReactNode {
  const desk = useDesk()
  return (
    <h3 className={styles.group} aria-label={name}>
      <span className="clip" data-tip={folder}>
        {name}
      </span>
      <Button
        variant="quiet"
        small
        only
        icon={Plus}
        className={styles.add}
        label={`New session in ${name}`}
        onPress={() => void report(desk, newSession(desk, folder))}
      />
    </h3>
  )
}

/** The number of stored and listed sessions, so that a lost history would be noticed. */
function Proof(): ReactNode {
  const desk = useDesk()
  const health = useStore(desk.app, (app) => app.health)
  const isConnected = useStore(desk.connection.state, ({ kind }) => kind === 'open')
  // without subagents, which are listed with their parent
  const own = useStore(desk.list, ({ sessions }) => [...sessions.values()].filter(({ parent }) => parent === null).length)
  const isReadable = useStore(desk.list, ({ unreadable }) => unreadable === null)
  if (!health) return null
  // without a connection the last counts may be wrong
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
        <Dot state="failed" word="Not all is on disk and listed" />
        Stored sessions cannot be read
      </p>
    )
  const isSound = health.trouble === null && health.onDisk === health.listed
  if (isSound && own === 0) return null
  return (
    <p className={styles.proof}>
      <Dot state={isSound ? 'proven' : 'failed'} word={isSound ? 'All on disk' : 'Not all is on disk and listed'} />
      {isSound
        ? `${counted(own, 'session')}, all saved on disk`
        : `${counted(health.listed, 'session')} in the list, ${health.onDisk} on disk`}
    </p>
  )
}
