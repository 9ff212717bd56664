import { type KeyboardEvent, type ReactNode, useEffect } from 'react'
import type { FoundIn, HistoryHit } from '../../../shared/api/history.ts'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { nameOf } from '../../state/stores/session-list.ts'
import { classNames } from '../../ui/class-names.ts'
import { calendarDay, clockTime } from '../../ui/format.ts'
import { ForeignText } from '../../ui/text/exact-text.tsx'
import styles from './history.module.css'

const WORDS: Readonly<Record<FoundIn, string>> = {
  you: 'you',
  answer: 'answer',
  plan: 'plan',
  diff: 'change',
  run: 'run',
  output: 'output',
}

export interface HistoryHitsProps {
  readonly id: string
  readonly hits: readonly HistoryHit[]
  readonly sessions: ReadonlyMap<string, SessionSummary>
  readonly active: number
  readonly onActive: (at: number) => void
  readonly onOpen: (hit: HistoryHit) => void
  /** Keys while the list has the focus: letters are commands then. */
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** Hits under the heading of their session, the active one with three lines. It is named by the search field, or by the list after Tab. */
export function HistoryHits({ id, hits, sessions, active, onActive, onOpen, onKeyDown }: HistoryHitsProps): ReactNode {
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  return (
    <ul
      id={`${id}-list`}
      className={styles.hits}
      role="listbox"
      aria-label="Found"
      tabIndex={hits.length === 0 ? -1 : 0}
      aria-activedescendant={hits.length === 0 ? undefined : `${id}-${active}`}
      onKeyDown={onKeyDown}
    >
      {hits.map((hit, at) => {
        const isHead = hits[at - 1]?.sessionId !== hit.sessionId
        return (
          // A hit of an unchanged log keeps its number; one event may hold several.
          <HitRow
            key={`${hit.seq}-${at}`}
            id={`${id}-${at}`}
            hit={hit}
            session={isHead ? (sessions.get(hit.sessionId) ?? null) : undefined}
            isActive={at === active}
            onActive={() => onActive(at)}
            onOpen={() => onOpen(hit)}
          />
        )
      })}
    </ul>
  )
}

interface HitRowProps {
  readonly id: string
  readonly hit: HistoryHit
  /** Undefined: the row before is of the same session; null: it is not in the list. */
  readonly session: SessionSummary | null | undefined
  readonly isActive: boolean
  readonly onActive: () => void
  readonly onOpen: () => void
}

function HitRow({ id, hit, session, isActive, onActive, onOpen }: HitRowProps): ReactNode {
  const isCode = hit.foundIn === 'diff' || hit.foundIn === 'run' || hit.foundIn === 'output'
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
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- focus and keys stay in the field */}
      <li
        id={id}
        role="option"
        aria-selected={isActive}
        className={classNames(styles.hit, isActive && styles.active)}
        onPointerMove={onActive}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onOpen}
      >
        <span className={styles.step} data-tip={hit.step > 0 ? `Step ${hit.step}` : undefined}>
          {hit.step > 0 ? hit.step : ''}
        </span>
        <span className={styles.place}>{WORDS[hit.foundIn]}</span>
        <span className={classNames(styles.text, isCode && styles.code)}>
          {hit.path !== null && <span className={styles.path}>{hit.path}</span>}
          {hit.parts.map((part, at) =>
            // Every second part is a match, and the parts of a hit never change.
            at % 2 === 1 ? <mark key={at}>{part}</mark> : <ForeignText key={at} text={part} />,
          )}
        </span>
        <span className={styles.time}>{clockTime(hit.at)}</span>
      </li>
    </>
  )
}
