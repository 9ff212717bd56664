import { type ReactNode, type RefObject, useCallback, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { showSession } from '../../state/commands/actions.ts'
import { useDesk, useView } from '../../state/desk-context.ts'
import { isAgent, rootOf, titleInList } from '../../state/views/session-families.ts'
import { isUnread, needOfSession } from '../../state/views/session-needs.ts'
import { nameOf } from '../../state/stores/session-list.ts'
import { GroupedList, type RowGroup } from '../../ui/frame/grouped-list.tsx'
import { SessionRow, type SessionRowProps } from './session-row.tsx'
import styles from './sessions.module.css'

export interface ListedSession {
  readonly session: SessionSummary
  /** Whether the row shows its project, because its group contains several projects. */
  readonly withProject: boolean
}

export interface SessionRowsProps {
  readonly scroll: RefObject<HTMLElement | null>
  readonly groups: readonly RowGroup<ListedSession>[]
}

/** The rows of all sessions in their groups. The list is one tab stop. Arrow keys move through it. */
export function SessionRows({ scroll, groups }: SessionRowsProps): ReactNode {
  const desk = useDesk()
  const current = useView((view) => view.sessionId)
  const listed = useStore(desk.list, ({ sessions }) => listedAs(sessions, current))
  const tabStop = useTabStop(listed)
  const now = useMinute()
  const open = useCallback((session: SessionSummary) => showSession(desk, session.sessionId), [desk])
  return (
    <GroupedList scroll={scroll} groups={groups} keyOf={keyOf} keep={tabStop === null ? NONE : [tabStop]} arrows className={styles.project}>
      {({ session: { sessionId }, withProject }) => (
        <Row
          sessionId={sessionId}
          withProject={withProject}
          selected={sessionId === listed}
          now={now}
          tabIndex={sessionId === tabStop ? 0 : -1}
          onOpen={open}
        />
      )}
    </GroupedList>
  )
}

interface RowProps extends Pick<SessionRowProps, 'selected' | 'now' | 'tabIndex' | 'onOpen'> {
  readonly sessionId: SessionId
  readonly withProject: boolean
}

/** Each row selects its own session, so that a step in one session renders only that session's row again. */
function Row({ sessionId, withProject, ...place }: RowProps): ReactNode {
  const desk = useDesk()
  const seen = useView(({ seen: to, dismissed }) => ({ seen: to, dismissed }))
  const session = useStore(desk.list, ({ sessions }) => sessions.get(sessionId))
  const need = useStore(desk.list, ({ sessions }) => session && withWhose(sessions, session, needOfSession(session, seen)))
  const title = useStore(desk.list, ({ sessions }) => session && titleInList(sessions, session))
  if (!session) return null
  return (
    <SessionRow
      session={session}
      title={title ?? ''}
      need={inProject(need ?? null, withProject ? session.folder : null)}
      unread={isUnread(session, seen)}
      {...place}
    />
  )
}

const NONE: readonly string[] = []
const keyOf = ({ session }: ListedSession): string => session.sessionId

type Known = ReadonlyMap<SessionId, SessionSummary>

/** The row that represents a session. A subagent has its own row only while it needs the user. */
function listedAs(known: Known, sessionId: SessionId | null): SessionId | null {
  if (sessionId === null) return null
  const need = known.get(sessionId)?.need ?? null
  return need === null ? rootOf(known, sessionId) : sessionId
}

/** Adds the title of the root session to a subagent's need. */
function withWhose(known: Known, session: SessionSummary, need: string | null): string | null {
  if (need === null || !isAgent(session)) return need
  const whose = known.get(rootOf(known, session.sessionId))?.title ?? ''
  return whose === '' ? need : `${need}, for ${whose}`
}

/** Adds the project at the end, because the end of the text is cut off first. */
function inProject(need: string | null, folder: string | null): string | null {
  return need === null || folder === null ? need : `${need} · ${nameOf(folder)}`
}

/** The row that Tab reaches: the row of the current session, otherwise the first row. */
function useTabStop(listed: SessionId | null): string | null {
  const desk = useDesk()
  return useStore(desk.list, ({ sessions }) => {
    if (listed !== null && sessions.has(listed)) return listed
    return sessions.values().find((one) => !isAgent(one) || one.need !== null)?.sessionId ?? null
  })
}

/** The current time, updated every minute, for the ages in the list. */
function useMinute(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
