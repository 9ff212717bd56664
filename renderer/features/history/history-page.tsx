import { type KeyboardEvent, type ReactNode, useId, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { HistoryAnswer, HistoryHit } from '../../../shared/api/history.ts'
import { showReplay, showSession } from '../../state/commands/actions.ts'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { useDesk } from '../../state/desk-context.ts'
import type { Desk } from '../../state/desk.ts'
import { classNames } from '../../ui/class-names.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PageFrame, PageNav } from '../../ui/frame/page-frame.tsx'
import { Pane, PaneHead, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { counted } from '../../ui/format.ts'
import { indexAfterKey, vertical } from '../../ui/arrow-keys.ts'
import { useEscape } from '../../ui/hooks/use-escape.ts'
import { VisuallyHidden } from '../../ui/notices/screen-reader.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { isComposing } from '../../ui/is-composing.ts'
import { HistoryFilterLists, type HistoryFiltersProps } from './history-filters.tsx'
import { HitActions, openHit, runHitKey } from './hit-actions.tsx'
import { HistoryHits, type HistoryHitsProps, keyOf, rowsOf, sessionBeside } from './history-hits.tsx'
import styles from './history.module.css'
import { Counts, emptyWords, SearchField } from './search-field.tsx'
import { type FilteredSessions, filterSessions, SessionResults } from './session-results.tsx'
import { useActiveRow } from './use-active-row.ts'
import { type HistoryFilters, type HistorySearching, NO_FILTERS, useHistorySearch } from './use-history-search.ts'

/** The hit whose session is replayed beside the list. The replay starts at the hit's event. */
type ReplayedHit = Pick<HistoryHit, 'sessionId' | 'seq'>

export interface HistoryPageProps {
  readonly status: ReactNode
  /** Renders the replay that starts at a hit. The replay belongs to another feature. */
  readonly replayOf: (hit: ReplayedHit, onClose: () => void) => ReactNode
}

/**
 * Searches all sessions of all projects, offline. The focus stays in the field: arrow keys move, Enter opens the session at the hit, and
 * Shift+Enter replays the session, starting at the hit. After Tab the list has the focus, and letters are commands. Pressing a hit replays
 * its session beside the list. While this replay is open, it follows the arrow keys.
 */
export function HistoryPage({ status, replayOf }: HistoryPageProps): ReactNode {
  const desk = useDesk()
  const [words, setWords] = useState(() => desk.view.getState().sought)
  const [filters, setFilters] = useState(NO_FILTERS)
  const [chosen, setReplayed] = useState<ReplayedHit | null>(null)
  const found = useHistorySearch(words, filters)
  const rows = useMemo(() => rowsOf(found.answer ?? NO_HITS, found.whole), [found.answer, found.whole])
  const listed = useListed(words, filters)
  const keys = useMemo(() => listed?.sessions.map(({ sessionId }) => sessionId) ?? rows.map(keyOf), [listed, rows])
  const { active, move, restart } = useActiveRow(keys)
  const replayed = listed ? null : chosen
  const count = listed?.sessions.length ?? rows.length
  const id = useId()
  const closeReplay = (): void => setReplayed(null)
  const close = (): void => desk.view.setState({ page: 'desk' })
  const row = listed ? undefined : rows[active]
  const hit = row?.kind === 'hit' ? row.hit : null
  useEscape(replayed ? closeReplay : close)
  const change = (more: Partial<typeof filters>): void => {
    setFilters({ ...filters, ...more })
    restart()
  }
  const moveTo = (at: number): void => {
    move(at)
    const next = rows[at]
    if (replayed && next?.kind === 'hit') setReplayed(next.hit)
  }
  const openListed = (session: SessionSummary | undefined): void => {
    if (session) showSession(desk, session.sessionId)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return
    const to = event.key.startsWith('Arrow') ? indexAfterKey(event.key, vertical, active, count) : null
    if (event.key === 'Enter' && event.shiftKey) replayFound(desk, listed ? listed.sessions[active] : hit)
    else if (event.key === 'Enter' && listed) openListed(listed.sessions[active])
    else if (event.key === 'Enter' && row?.kind === 'more') found.showAll(row.sessionId)
    else if (event.key === 'Enter' && hit) openHit(desk, hit)
    else if (to === null) return
    else moveTo(to)
    event.preventDefault()
  }
  const onListKeyDown = (event: KeyboardEvent): void => {
    const beside = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : null
    if (event.key === '/') document.querySelector<HTMLElement>('[data-page-focus]')?.focus()
    else if (beside !== null) moveTo(sessionBeside(rows, active, beside) ?? active)
    else if (!hit || !runHitKey(desk, event, hit, setReplayed)) return onKeyDown(event)
    event.preventDefault()
  }
  const type = (typed: string): void => {
    setWords(typed)
    restart()
  }
  return (
    <PageFrame
      navLabel="Filters"
      nav={<FiltersPane filters={filters} answer={found.counted} listed={listed} onChange={change} onClose={close} />}
      status={status}
    >
      <div className={classNames(styles.page, replayed && styles.replaying)}>
        <Pane kind="work" label="History">
          <h1>
            <VisuallyHidden>History</VisuallyHidden>
          </h1>
          <PaneHead end={<Counts found={found} order={filters.order} onOrder={(order) => change({ order })} />}>
            <SearchField listId={id} words={words} active={count > 0 ? active : null} onChange={type} onKeyDown={onKeyDown} />
          </PaneHead>
          <Found
            id={id}
            active={active}
            words={words}
            found={found}
            listed={listed}
            rows={rows}
            onActive={move}
            onOpen={openListed}
            onChoose={(pressed) => (pressed.kind === 'hit' ? setReplayed(pressed.hit) : found.showAll(pressed.sessionId))}
            onKeyDown={onListKeyDown}
          />
          {hit && <HitActions hit={hit} onReplay={setReplayed} />}
        </Pane>
        {replayed && <div className={styles.replay}>{replayOf(replayed, closeReplay)}</div>}
      </div>
    </PageFrame>
  )
}

interface FoundProps extends Omit<HistoryHitsProps, 'sessions' | 'answered'> {
  readonly words: string
  readonly found: HistorySearching
  /** Null if there are words to search for. */
  readonly listed: FilteredSessions | null
  readonly onOpen: (session: SessionSummary) => void
}

/** The hits or, without words to search for, the sessions. */
function Found({ words, found: { answer, answered, trouble, isSearching }, listed, onOpen, ...list }: FoundProps): ReactNode {
  const sessions = useStore(useDesk().list, (all) => all.sessions)
  const isEmpty = (listed?.sessions ?? list.rows).length === 0
  return (
    <PaneScroll label="What was found">
      {trouble && <ErrorNotice framed happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
      {listed ? (
        <SessionResults id={list.id} active={list.active} onActive={list.onActive} sessions={listed.sessions} onOpen={onOpen} />
      ) : (
        <HistoryHits {...list} answered={answered} sessions={sessions} />
      )}
      {!listed && <NotListed answer={answer} />}
      {isEmpty && !trouble && <p className={styles.none}>{emptyWords({ words, isListed: listed !== null, isSearching })}</p>}
    </PaneScroll>
  )
}

const NO_HITS: Pick<HistoryAnswer, 'hits' | 'bySession'> = { hits: [], bySession: {} }

/** Says how many sessions with hits are not listed. */
function NotListed({ answer }: { readonly answer: HistoryAnswer | null }): ReactNode {
  if (!answer) return null
  const left = Object.keys(answer.bySession).length - new Set(answer.hits.map(({ sessionId }) => sessionId)).size
  if (left <= 0) return null
  return (
    <p
      className={styles.none}
    >{`${counted(left, 'more session')} found. Use more words or a filter to list ${left === 1 ? 'it' : 'them'}.`}</p>
  )
}

function replayFound(desk: Desk, found: HistoryHit | SessionSummary | null | undefined): void {
  if (found) showReplay(desk, found.sessionId, 'seq' in found ? found.seq : null)
}

interface FiltersPaneProps extends Omit<HistoryFiltersProps, 'isOpen' | 'ofSessions'> {
  /** Null if there are words to search for. */
  readonly listed: FilteredSessions | null
  readonly onClose: () => void
}

/** The filters and the button that leaves the page. In a narrow window the filters are folded at first. */
function FiltersPane({ filters, answer, listed, onChange, onClose }: FiltersPaneProps): ReactNode {
  const [isFiltering, setFiltering] = useState(false)
  return (
    <PageNav
      label="Filters"
      closeWords="Close history"
      lead={
        <span className={styles.filterToggle}>
          <Button variant="quiet" small expanded={isFiltering} onPress={() => setFiltering(!isFiltering)}>
            Filters
          </Button>
        </span>
      }
      onClose={onClose}
    >
      <HistoryFilterLists
        isOpen={isFiltering}
        filters={filters}
        answer={listed?.counts ?? answer}
        ofSessions={listed !== null}
        onChange={onChange}
      />
    </PageNav>
  )
}

/** Returns the sessions that pass the filters. Null if there are words or a changed path to search for. */
function useListed(words: string, filters: HistoryFilters): FilteredSessions | null {
  const desk = useDesk()
  const sessions = useStore(desk.list, (list) => list.sessions)
  const flags = useStore(desk.flags)
  const isListed = words.trim() === '' && filters.touched.trim() === ''
  return useMemo(() => (isListed ? filterSessions(sessions.values(), flags, filters) : null), [isListed, sessions, flags, filters])
}
