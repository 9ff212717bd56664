import { type ReactNode, useCallback, useEffect, useId, useState } from 'react'
import { useStore } from 'zustand'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { showSession } from '../../state/actions.ts'
import { useDesk, useView } from '../../state/desk-context.ts'
import { agentTitle, isAgent, rootOf } from '../../state/families.ts'
import { isUnread, needOfSession } from '../../state/needs.ts'
import { nameOf } from '../../state/session-list.ts'
import { useGradual } from '../../ui/hooks/use-gradual.ts'
import { SessionRow } from './session-row.tsx'
import styles from './sessions.module.css'

export interface SessionGroupProps {
  readonly label: string
  readonly head: ReactNode
  readonly sessions: readonly SessionSummary[]
  /** Each row says in which project it is: they stand together from several. */
  readonly withProject?: boolean
}

/** The sessions of one project, or those that need their person. */
export function SessionGroup({ label, head, sessions, withProject = false }: SessionGroupProps): ReactNode {
  const desk = useDesk()
  const id = useId()
  const current = useView((view) => view.sessionId)
  const seen = useView(({ seen: to, settled }) => ({ seen: to, settled }))
  const known = useStore(desk.list, (list) => list.sessions)
  const listed = listedAs(known, current)
  const tabStop = useTabStop(listed)
  const now = useMinute()
  const drawn = useGradual(sessions.length)
  const open = useCallback((session: SessionSummary) => showSession(desk, session.sessionId), [desk])
  return (
    <section className={styles.project} aria-labelledby={id}>
      <h3 className={styles.group} id={id} aria-label={label}>
        {head}
      </h3>
      <ul>
        {sessions.slice(0, drawn).map((session) => (
          <li key={session.sessionId} className={styles.row} data-session-row="">
            <SessionRow
              session={session}
              title={isAgent(session) ? agentTitle(session) : session.title}
              need={inProject(withWhose(known, session, needOfSession(session, seen)), withProject ? session.folder : null)}
              selected={session.sessionId === listed}
              unread={isUnread(session, seen)}
              now={now}
              tabIndex={session.sessionId === tabStop ? 0 : -1}
              onOpen={open}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

type Known = ReadonlyMap<SessionId, SessionSummary>

/** The row that stands for a session: a subagent has one of its own only while it needs its person. */
function listedAs(known: Known, sessionId: SessionId | null): SessionId | null {
  if (sessionId === null) return null
  const need = known.get(sessionId)?.need ?? null
  return need === null ? rootOf(known, sessionId) : sessionId
}

/** A subagent's need says for whom it works. */
function withWhose(known: Known, session: SessionSummary, need: string | null): string | null {
  if (need === null || !isAgent(session)) return need
  const whose = known.get(rootOf(known, session.sessionId))?.title ?? ''
  return whose === '' ? need : `${need}, for ${whose}`
}

/** What it needs comes first: where there is little room the project is what is cut off. */
function inProject(need: string | null, folder: string | null): string | null {
  return need === null || folder === null ? need : `${need} · ${nameOf(folder)}`
}

/** The one row that Tab reaches: that of the session on screen, else the first of the list. */
function useTabStop(listed: SessionId | null): string | null {
  const desk = useDesk()
  return useStore(desk.list, ({ sessions }) => {
    if (listed !== null && sessions.has(listed)) return listed
    return [...sessions.values()].find((one) => !isAgent(one) || one.need !== null)?.sessionId ?? null
  })
}

/** Now, renewed every minute: what ages are reckoned from. */
function useMinute(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
