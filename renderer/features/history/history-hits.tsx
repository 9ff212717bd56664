import { type KeyboardEvent, type ReactNode, startTransition, useEffect, useMemo, useState } from 'react'
import type { FoundIn, HistoryAnswer, HistoryHit } from '../../../shared/api/history.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { nameOf } from '../../state/stores/session-list.ts'
import { classNames } from '../../ui/class-names.ts'
import { calendarDay, clockTime } from '../../ui/format.ts'
import { Mark } from '../../ui/marks/mark.tsx'
import { ForeignText } from '../../ui/text/exact-text.tsx'
import styles from './history.module.css'
import { entryKey, type HitCallStatus, useHitCallStatus } from './use-hit-call-status.ts'
import type { SearchedFor, WholeSessions } from './use-history-search.ts'

const WORDS: Readonly<Record<FoundIn, string>> = {
  you: 'you',
  answer: 'answer',
  plan: 'plan',
  diff: 'change',
  refused: 'refused',
  run: 'run',
  output: 'output',
}

/** A row of the list: a hit, or the number of a session's hits that are not listed. */
export type FoundRow =
  | { readonly kind: 'hit'; readonly sessionId: SessionId; readonly hit: HistoryHit }
  | { readonly kind: 'more'; readonly sessionId: SessionId; readonly count: number }

/** Returns the rows, session by session. `whole` contains all hits of the sessions that the user has expanded. */
export function rowsOf({ hits, bySession }: Pick<HistoryAnswer, 'hits' | 'bySession'>, whole: WholeSessions): readonly FoundRow[] {
  return [...Map.groupBy(hits, ({ sessionId }) => sessionId)].flatMap(([sessionId, first]): readonly FoundRow[] => {
    const listed = whole.get(sessionId) ?? first
    const rows = listed.map((hit) => ({ kind: 'hit' as const, sessionId, hit }))
    const count = (bySession[sessionId] ?? 0) - first.length
    return whole.has(sessionId) || count <= 0 ? rows : [...rows, { kind: 'more', sessionId, count }]
  })
}

/** A key by which a row is found again in a later answer. Hits in the same event may have the same key. */
export const keyOf = (row: FoundRow): string =>
  row.kind === 'more' ? `${row.sessionId} more` : `${row.sessionId} ${row.hit.seq} ${row.hit.foundIn} ${row.hit.path}`

/** Returns the index of the first row of the next or previous session. Null if there is none. */
export function sessionBeside(rows: readonly FoundRow[], active: number, by: 1 | -1): number | null {
  const heads = rows.flatMap(({ sessionId }, at) => (rows[at - 1]?.sessionId === sessionId ? [] : [at]))
  const here = heads.findLastIndex((head) => head <= active)
  return heads[here + by] ?? null
}

/** Number of rows that are shown first when the words or filters change. Rendering all 200 rows takes most of the time until the first hits appear. */
const FIRST_ROWS = 30
/** The other rows are shown if no other search is answered for this time, in ms, so that typing does not wait for them. */
export const REST_AFTER_MS = 250

export interface HistoryHitsProps {
  readonly id: string
  readonly rows: readonly FoundRow[]
  /** The words and filters that the rows belong to. */
  readonly answered: SearchedFor | null
  readonly sessions: ReadonlyMap<string, SessionSummary>
  readonly active: number
  readonly onActive: (at: number) => void
  readonly onChoose: (row: FoundRow) => void
  /** Handles keys while the list has the focus. Letters then run commands. */
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/**
 * The hits under the headings of their sessions. The active hit has three lines. The focused element (search field or list) points to the
 * active hit with `aria-activedescendant`.
 */
export function HistoryHits({ id, rows, answered, sessions, active, onActive, onChoose, onKeyDown }: HistoryHitsProps): ReactNode {
  const [completed, setCompleted] = useState(answered)
  const isShort = completed !== answered && active < FIRST_ROWS
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setCompleted(answered)), REST_AFTER_MS)
    return () => clearTimeout(timer)
  }, [answered])
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
    // Other words or filters start again at the first hit, which is out of view if the user had scrolled without moving to another hit.
  }, [id, active, answered])
  const marks = useHitCallStatus(useMemo(() => rows.flatMap((row) => (row.kind === 'hit' ? [row.hit] : [])), [rows]))
  return (
    <ul
      id={`${id}-list`}
      className={styles.hits}
      role="listbox"
      aria-label="Found"
      tabIndex={rows.length === 0 ? -1 : 0}
      aria-activedescendant={rows.length === 0 ? undefined : `${id}-${active}`}
      onKeyDown={onKeyDown}
    >
      {(isShort ? rows.slice(0, FIRST_ROWS) : rows).map((row, at) => {
        const isHead = rows[at - 1]?.sessionId !== row.sessionId
        const place = { id: `${id}-${at}`, position: at + 1, size: rows.length }
        const shared = { ...place, isActive: at === active, onActive: () => onActive(at), onChoose: () => onChoose(row) }
        if (row.kind === 'more')
          return (
            <Row key={`${row.sessionId} more`} {...shared} look={styles.more}>
              {row.count} more in this session
            </Row>
          )
        return (
          // An entry of the log keeps its number, so the key is stable. The index is needed because one event may contain several hits.
          <HitRow
            key={`${row.hit.seq}-${at}`}
            {...shared}
            hit={row.hit}
            mark={marks.get(entryKey(row.hit))}
            session={isHead ? (sessions.get(row.sessionId) ?? null) : undefined}
          />
        )
      })}
    </ul>
  )
}

interface RowProps {
  readonly id: string
  /** The row's place among all rows, from 1, and their number. Screen readers cannot count rows that are not rendered yet. */
  readonly position: number
  readonly size: number
  readonly isActive: boolean
  readonly onActive: () => void
  readonly onChoose: () => void
}

interface RowLook {
  readonly look: string | undefined
  readonly children: ReactNode
}

/** One row of the list that can be chosen. */
function Row({ id, position, size, isActive, onActive, onChoose, look, children }: RowProps & RowLook): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- focus and keys stay in the field
    <li
      id={id}
      role="option"
      aria-selected={isActive}
      aria-posinset={position}
      aria-setsize={size}
      className={classNames(look, isActive && styles.active)}
      onPointerMove={onActive}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      {children}
    </li>
  )
}

interface HitRowProps extends RowProps {
  readonly hit: HistoryHit
  /** The mark of the hit's call. Undefined if the hit belongs to no call, or the call is not known yet. */
  readonly mark: HitCallStatus | undefined
  /**
   * The session named in the heading above the hit. Undefined if there is no heading, because the previous hit is from the same session.
   * Null if the session is not in the list.
   */
  readonly session: SessionSummary | null | undefined
}

function HitRow({ hit, mark, session, ...row }: HitRowProps): ReactNode {
  const isCode = hit.foundIn === 'diff' || hit.foundIn === 'refused' || hit.foundIn === 'run' || hit.foundIn === 'output'
  return (
    <>
      {session !== undefined && (
        <li className={styles.session} role="presentation">
          <span className={classNames('clip', styles.sessionTitle)}>
            {session ? <ForeignText text={session.title || 'New session'} /> : 'A session that is not listed'}
          </span>
          <span className="meta">{session ? nameOf(session.folder) : ''}</span>
          <span className={styles.day}>{calendarDay(hit.at)}</span>
        </li>
      )}
      <Row {...row} look={styles.hit}>
        <span className="number" data-tip={hit.step > 0 ? `Step ${hit.step}` : undefined}>
          {hit.step > 0 ? hit.step : ''}
        </span>
        <span className={styles.mark}>
          {hit.foundIn === 'you' && <Mark kind="you" silent />}
          {hit.foundIn === 'answer' && <Mark kind="note" silent />}
          {mark && <Mark {...mark} />}
        </span>
        <span className="soft">{WORDS[hit.foundIn]}</span>
        <span className={classNames(styles.text, isCode && styles.code)}>
          {hit.path !== null && <span className={styles.path}>{hit.foundIn === 'refused' ? `${hit.path} (not applied)` : hit.path}</span>}
          {hit.path !== null && ' '}
          {hit.parts.map((part, at) =>
            // Every second part is a match. The parts of a hit never change, so their indexes can be keys.
            at % 2 === 1 ? <mark key={at}>{part}</mark> : <ForeignText key={at} text={part} />,
          )}
        </span>
        <span className="meta">{clockTime(hit.at)}</span>
      </Row>
    </>
  )
}
