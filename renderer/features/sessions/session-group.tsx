import { type ReactNode, useCallback, useEffect, useId, useState } from 'react'
import { useStore } from 'zustand'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { showSession } from '../../state/actions.ts'
import { useDesk, useView } from '../../state/desk-context.ts'
import { needOfSession } from '../../state/needs.ts'
import { SessionRow } from './session-row.tsx'
import styles from './sessions.module.css'

export interface SessionGroupProps {
  readonly label: string
  readonly head: ReactNode
  readonly sessions: readonly SessionSummary[]
}

/** The sessions of one project, or those that need their person. */
export function SessionGroup({ label, head, sessions }: SessionGroupProps): ReactNode {
  const desk = useDesk()
  const id = useId()
  const { current, seen, settled } = useView((view) => ({ current: view.sessionId, seen: view.seen, settled: view.settled }))
  const tabStop = useTabStop()
  const now = useMinute()
  const open = useCallback((session: SessionSummary) => showSession(desk, session.sessionId), [desk])
  return (
    <section className={styles.project} aria-labelledby={id}>
      <h3 className={styles.group} id={id} aria-label={label}>
        {head}
      </h3>
      <ul>
        {sessions.map((session) => (
          <li key={session.sessionId} className={styles.row} data-session-row="">
            <SessionRow
              session={session}
              need={needOfSession(session, settled)}
              selected={session.sessionId === current}
              seenAt={seen[session.sessionId] ?? 0}
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

/** The one row that Tab reaches: the session on screen, else the first of the list. */
function useTabStop(): string | null {
  const desk = useDesk()
  const current = useView((view) => view.sessionId)
  return useStore(desk.list, ({ sessions }) => (current && sessions.has(current) ? current : ([...sessions.keys()][0] ?? null)))
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
