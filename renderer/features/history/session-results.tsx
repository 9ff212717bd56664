import { type ReactNode, useEffect } from 'react'
import { dayOf, FOUND_IN, type HistoryAnswer, historyState, MAX_HITS, SESSION_STATES } from '../../../shared/api/history.ts'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import type { Flags } from '../../state/stores/session-flags.ts'
import { nameOf } from '../../state/stores/session-list.ts'
import { classNames } from '../../ui/class-names.ts'
import { calendarDay } from '../../ui/format.ts'
import { ForeignText } from '../../ui/text/exact-text.tsx'
import styles from './history.module.css'
import { dayStart, type HistoryFilters } from './use-history-search.ts'

/** The newest `MAX_HITS` sessions that pass the filters, and the number of sessions that each filter would leave. */
export interface FilteredSessions {
  readonly sessions: readonly SessionSummary[]
  readonly counts: HistoryAnswer
}

/** Filters the sessions for the list that is shown when no words are typed. The filters are those of the search. */
export function filterSessions(all: Iterable<SessionSummary>, flags: Flags, filters: HistoryFilters): FilteredSessions {
  const since = dayStart(filters.from, 0) ?? -Infinity
  const until = dayStart(filters.to, 1) ?? Infinity
  const stateOf = (session: SessionSummary) => historyState({ ...session, isArchived: flags.archived.has(session.sessionId) })
  const ofPersons = [...all].filter(({ parent }) => parent === null)
  const own = ofPersons.filter(({ updatedAt }) => updatedAt >= since && updatedAt < until)
  const isMeant = (session: SessionSummary, but?: 'folder' | 'model' | 'state'): boolean =>
    (but === 'folder' || filters.folder === null || session.folder === filters.folder) &&
    (but === 'model' || filters.model === null || session.config.model === filters.model) &&
    (but === 'state' || filters.state === null || stateOf(session) === filters.state)
  const count = (but: 'folder' | 'model' | 'state', keyOf: (session: SessionSummary) => string, keys: readonly string[] = []) => {
    const counts: Record<string, number> = Object.fromEntries(keys.map((key) => [key, 0]))
    for (const session of own) if (isMeant(session, but)) counts[keyOf(session)] = (counts[keyOf(session)] ?? 0) + 1
    return counts
  }
  const sessions = own.filter((session) => isMeant(session)).toSorted((a, b) => b.cursor - a.cursor)
  return {
    sessions: sessions.slice(0, MAX_HITS),
    counts: {
      hits: [],
      bySession: {},
      total: sessions.length,
      isBound: false,
      cut: 0,
      behind: 0,
      byPlace: Object.fromEntries(FOUND_IN.map((place) => [place, 0])) as HistoryAnswer['byPlace'],
      byFolder: count('folder', ({ folder }) => folder),
      byModel: count('model', ({ config }) => config.model),
      byState: count('state', stateOf, SESSION_STATES) as HistoryAnswer['byState'],
      byDay: countDays(ofPersons.filter((session) => isMeant(session))),
    },
  }
}

function countDays(sessions: readonly SessionSummary[]): Readonly<Record<string, number>> {
  const groups = Map.groupBy(sessions, ({ updatedAt }) => dayOf(updatedAt))
  return Object.fromEntries([...groups].map(([day, { length }]) => [day, length]))
}

export interface SessionResultsProps {
  readonly id: string
  readonly sessions: readonly SessionSummary[]
  readonly active: number
  readonly onActive: (at: number) => void
  readonly onOpen: (session: SessionSummary) => void
}

/** Sessions listed as options of the search field. The focus stays in the search field. */
export function SessionResults({ id, sessions, active, onActive, onOpen }: SessionResultsProps): ReactNode {
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  return (
    <ul id={`${id}-list`} className={styles.hits} role="listbox" aria-label="Sessions">
      {sessions.map((session, at) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- focus and keys stay in the field
        <li
          key={session.sessionId}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === active}
          className={classNames(styles.sessionRow, at === active && styles.active)}
          onPointerMove={() => onActive(at)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onOpen(session)}
        >
          <span className={classNames('clip', styles.sessionTitle)}>
            <ForeignText text={session.title || 'New session'} />
          </span>
          <span className="meta">{nameOf(session.folder)}</span>
          <span className={styles.day}>{calendarDay(session.updatedAt)}</span>
        </li>
      ))}
    </ul>
  )
}
