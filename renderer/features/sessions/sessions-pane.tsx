import { PanelLeft, Plus, Settings2 } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useMemo } from 'react'
import { useStore } from 'zustand'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { chooseFolder, newSession } from '../../state/actions.ts'
import { report } from '../../state/attempt.ts'
import { fold } from '../../state/commands.ts'
import { useDesk, useView } from '../../state/desk-context.ts'
import { sessionsInNeed } from '../../state/needs.ts'
import { groupByProject } from '../../state/session-list.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PaneHead } from '../../ui/frame/pane-head.tsx'
import { PaneScroll } from '../../ui/frame/pane-scroll.tsx'
import { Pane } from '../../ui/frame/pane.tsx'
import { rove, vertical } from '../../ui/hooks/roving.ts'
import { Kbd } from '../../ui/marks/kbd.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { Proof } from './proof.tsx'
import { SessionGroup } from './session-group.tsx'
import styles from './sessions.module.css'

/** All sessions by project, those that need their person first. One tab stop: arrows move through the list. */
export function SessionsPane(): ReactNode {
  const desk = useDesk()
  const { known, sessions } = useStore(desk.list)
  const seen = useView(({ seen: to, settled }) => ({ seen: to, settled }))
  const needs = useMemo(() => sessionsInNeed(sessions.values(), seen), [sessions, seen])
  const projects = useMemo(() => {
    const inNeed = new Set<SessionSummary>(needs)
    return groupByProject([...sessions.values()].filter((session) => !inNeed.has(session)))
  }, [sessions, needs])
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
      <PaneScroll label="All sessions" padded>
        {known && sessions.size === 0 && <EmptyState>No sessions yet. The first one appears here when you open a folder.</EmptyState>}
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hears the arrow keys of the rows in it */}
        <div onKeyDown={moveThroughRows}>
          {needs.length > 0 && (
            <SessionGroup
              label="Needs you"
              head={
                <>
                  <span className="needs">Needs you</span>
                  <Kbd keys="Mod+J" className="push" />
                </>
              }
              sessions={needs}
              withProject
            />
          )}
          {projects.map((project) => (
            <SessionGroup
              key={project.folder}
              label={project.name}
              head={
                <>
                  <span className="clip" data-tip={project.folder}>
                    {project.name}
                  </span>
                  <Button
                    variant="quiet"
                    small
                    only
                    icon={Plus}
                    className={styles.add}
                    label={`New session in ${project.name}`}
                    onPress={() => void report(desk, newSession(desk, project.folder))}
                  />
                </>
              }
              sessions={project.sessions}
            />
          ))}
        </div>
      </PaneScroll>
      <footer className={styles.foot}>
        <Button variant="quiet" block icon={Settings2} keys="Mod+," onPress={() => desk.view.setState({ page: 'settings' })}>
          Settings
        </Button>
        <Proof />
      </footer>
    </Pane>
  )
}

/** Arrows, Home and End move from row to row, across groups. */
function moveThroughRows(event: KeyboardEvent<HTMLDivElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-session-row] button')]
  const at = rows.findIndex((row) => row === document.activeElement)
  const to = at === -1 ? null : rove(event.key, vertical, at, rows.length)
  if (to === null) return
  event.preventDefault()
  rows[to]?.focus()
}
