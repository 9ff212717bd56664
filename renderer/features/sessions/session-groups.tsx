import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { newSession } from '../../state/commands/actions.ts'
import { report } from '../../state/commands/attempt-request.ts'
import { useDesk } from '../../state/desk-context.ts'
import { type Known, sessionsInNeed } from '../../state/views/session-needs.ts'
import { groupByProject, inListOrder, type ProjectGroup } from '../../state/stores/session-list.ts'
import type { Flags } from '../../state/stores/session-flags.ts'
import { Button } from '../../ui/controls/button.tsx'
import { dayWords } from '../../ui/format.ts'
import type { RowGroup } from '../../ui/frame/grouped-list.tsx'
import { Kbd } from '../../ui/marks/kbd.tsx'
import type { ListedSession } from './session-rows.tsx'
import styles from './sessions.module.css'

export interface Grouping {
  readonly by: 'project' | 'day'
  readonly withArchived: boolean
}

/**
 * The groups of the list: sessions that need the user, pinned sessions, then projects or days, and archived sessions. `now` is in ms
 * since 1970.
 */
export function groupsOf(
  sessions: Iterable<SessionSummary>,
  seen: Known,
  flags: Flags,
  { by, withArchived }: Grouping,
  now = Date.now(),
): readonly RowGroup<ListedSession>[] {
  const all = [...sessions]
  const needs = sessionsInNeed(all, seen)
  const inNeed = new Set<SessionSummary>(needs)
  const others = all.filter((session) => !inNeed.has(session))
  const isArchived = ({ sessionId }: SessionSummary): boolean => flags.archived.has(sessionId)
  const isPinned = ({ sessionId }: SessionSummary): boolean => flags.pinned.has(sessionId)
  const pinned = others.filter((session) => isPinned(session) && !isArchived(session))
  const archived = others.filter((session) => isArchived(session) && session.parent === null)
  const rest = others.filter((session) => !isPinned(session) && !isArchived(session))
  return [
    ...(needs.length > 0 ? [needsGroup(needs)] : []),
    ...namedGroup('Pinned', pinned),
    ...(by === 'project' ? groupByProject(rest).map(projectGroup) : dayGroups(rest, now)),
    ...(withArchived ? namedGroup('Archived', archived) : []),
  ]
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

/**
 * Returns one group with this name for sessions that may be from different projects, in list order. Returns an empty list if there are no
 * sessions.
 */
function namedGroup(name: string, sessions: readonly SessionSummary[]): readonly RowGroup<ListedSession>[] {
  if (sessions.length === 0) return []
  const heading = (
    <h3 className={styles.group}>
      <span className="clip">{name}</span>
    </h3>
  )
  return [{ key: `group ${name}`, label: name, heading, rows: inListOrder(sessions).map((session) => ({ session, withProject: true })) }]
}

function dayGroups(sessions: readonly SessionSummary[], now: number): readonly RowGroup<ListedSession>[] {
  const own = sessions.filter(({ parent }) => parent === null).toSorted((a, b) => b.cursor - a.cursor)
  return [...Map.groupBy(own, ({ updatedAt }) => dayWords(updatedAt, now))].flatMap(([day, list]) => namedGroup(day, list))
}

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
