import { Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { type HistoryHit, MIN_LETTERS } from '../../../shared/api/history.ts'
import { showReplay, showSession } from '../../state/commands/actions.ts'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { useDesk } from '../../state/desk-context.ts'
import type { Desk } from '../../state/desk.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { PageFrame, PageNav } from '../../ui/frame/page-frame.tsx'
import { Pane, PaneHead, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { counted } from '../../ui/format.ts'
import { rove, vertical } from '../../ui/hooks/roving-focus.ts'
import { useEscape } from '../../ui/hooks/use-escape.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { VisuallyHidden } from '../../ui/notices/screen-reader.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { HistoryFilterLists, type HistoryFiltersProps } from './history-filters.tsx'
import { HitActions, openHit, runHitKey } from './hit-actions.tsx'
import { HistoryHits } from './history-hits.tsx'
import styles from './history.module.css'
import { type FilteredSessions, filterSessions, SessionResults } from './session-results.tsx'
import { type FoundHistory, type HistoryFilters, NO_FILTERS, useHistorySearch } from './use-history-search.ts'

/**
 * Searches all sessions of all projects, offline. The focus stays in the field: arrow keys move, Enter opens the session at the hit, Shift Enter
 * replays it from there. After Tab the list has the focus, and letters are commands.
 */
export function HistoryPage({ status }: { readonly status: ReactNode }): ReactNode {
  const desk = useDesk()
  const sessions = useStore(desk.list, (list) => list.sessions)
  const [words, setWords] = useState(() => desk.view.getState().sought)
  const [filters, setFilters] = useState(NO_FILTERS)
  const [active, setActive] = useState(0)
  const found = useHistorySearch(words, filters)
  const hits = found.answer?.hits ?? []
  const listed = useListed(words, filters)
  const count = listed?.sessions.length ?? hits.length
  const id = useId()
  const close = (): void => desk.view.setState({ page: 'desk' })
  useEscape(close)
  const change = (more: Partial<typeof filters>): void => {
    setFilters({ ...filters, ...more })
    setActive(0)
  }
  const open = (hit: HistoryHit | undefined): void => {
    if (hit) openHit(desk, hit)
  }
  const openListed = (session: SessionSummary | undefined): void => {
    if (session) showSession(desk, session.sessionId)
  }
  const marked = { id, active, onActive: setActive }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const to = event.key.startsWith('Arrow') ? rove(event.key, vertical, active, count) : null
    if (event.key === 'Enter' && event.shiftKey) replayFound(desk, (listed?.sessions ?? hits)[active])
    else if (event.key === 'Enter' && listed) openListed(listed.sessions[active])
    else if (event.key === 'Enter') open(hits[active])
    else if (to === null) return
    else setActive(to)
    event.preventDefault()
  }
  const hit = listed ? undefined : hits[active]
  const onListKeyDown = (event: KeyboardEvent): void => {
    if (event.key === '/') document.querySelector<HTMLElement>('[data-page-focus]')?.focus()
    else if (!hit || !runHitKey(desk, event, hit)) return onKeyDown(event)
    event.preventDefault()
  }
  return (
    <PageFrame
      navLabel="Filters"
      nav={<FiltersPane filters={filters} answer={listed?.counts ?? found.answer} onChange={change} onClose={close} />}
      status={status}
    >
      <Pane kind="work" label="History">
        <h1>
          <VisuallyHidden>History</VisuallyHidden>
        </h1>
        <PaneHead end={<Counts found={found} order={filters.order} onOrder={(order) => change({ order })} />}>
          <SearchField
            listId={id}
            words={words}
            active={count > 0 ? active : null}
            onChange={(typed) => {
              setWords(typed)
              setActive(0)
            }}
            onKeyDown={onKeyDown}
          />
        </PaneHead>
        <PaneScroll label="What was found">
          {found.trouble && <ErrorNotice framed happened={found.trouble.what} kept={found.trouble.kept} todo={found.trouble.todo} />}
          {listed && <SessionResults {...marked} sessions={listed.sessions} onOpen={openListed} />}
          {!listed && <HistoryHits {...marked} hits={hits} sessions={sessions} onOpen={open} onKeyDown={onListKeyDown} />}
          {count === 0 && !found.trouble && <p className={styles.none}>{emptyWords(words)}</p>}
        </PaneScroll>
        {hit && <HitActions hit={hit} />}
      </Pane>
    </PageFrame>
  )
}

function replayFound(desk: Desk, found: HistoryHit | SessionSummary | undefined): void {
  if (found) showReplay(desk, found.sessionId, 'seq' in found ? found.seq : null)
}

interface FiltersPaneProps extends Omit<HistoryFiltersProps, 'isOpen'> {
  readonly onClose: () => void
}

/** The filters and the button that leaves the page. In a narrow window the filters are folded at first. */
function FiltersPane({ filters, answer, onChange, onClose }: FiltersPaneProps): ReactNode {
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
      <HistoryFilterLists isOpen={isFiltering} filters={filters} answer={answer} onChange={onChange} />
    </PageNav>
  )
}

/** Without words: the sessions that the filters leave; null: there is something to search for. */
function useListed(words: string, filters: HistoryFilters): FilteredSessions | null {
  const desk = useDesk()
  const sessions = useStore(desk.list, (list) => list.sessions)
  const flags = useStore(desk.flags)
  const isListed = words.trim() === '' && filters.touched.trim() === ''
  return useMemo(() => (isListed ? filterSessions(sessions.values(), flags, filters) : null), [isListed, sessions, flags, filters])
}

interface CountsProps {
  readonly found: FoundHistory
  readonly order: 'newest' | 'best'
  readonly onOrder: (order: 'newest' | 'best') => void
}

function Counts({ found, order, onOrder }: CountsProps): ReactNode {
  return (
    <>
      <span className={styles.counts}>{countWords(found)}</span>
      <Segmented
        label="Order"
        segments={[
          { id: 'newest', label: 'Newest' },
          { id: 'best', label: 'Best' },
        ]}
        selected={order}
        onSelect={onOrder}
      />
    </>
  )
}

interface SearchFieldProps {
  /** Of the list of hits; hits are `${listId}-${index}`. */
  readonly listId: string
  readonly words: string
  /** Null: there are no hits. */
  readonly active: number | null
  readonly onChange: (words: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

function SearchField({ listId, words, active, onChange, onKeyDown }: SearchFieldProps): ReactNode {
  return (
    <div className={styles.search}>
      <Icon glyph={Search} />
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- asked for by its own key
        autoFocus
        data-page-focus=""
        role="combobox"
        aria-label="Search all sessions"
        aria-expanded={active !== null}
        aria-controls={`${listId}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active === null ? undefined : `${listId}-${active}`}
        placeholder="Search all sessions"
        spellCheck={false}
        autoComplete="off"
        value={words}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}

function countWords({ answer, tookMs }: FoundHistory): string {
  if (!answer) return ''
  const unread = [
    ...(answer.behind > 0 ? [`${counted(answer.behind, 'event')} still to read`] : []),
    ...(answer.cut > 0 ? [`${counted(answer.cut, 'very long text')} searched only in part`] : []),
  ]
  if (answer.total === 0) return unread.join(', ')
  const inSessions = new Set(answer.hits.map(({ sessionId }) => sessionId)).size
  const total = `${answer.isBound ? 'more than ' : ''}${answer.total}`
  return [`${total} in ${counted(inSessions, 'session')}`, `${Math.round(tookMs)} ms`, ...unread].join(', ')
}

function emptyWords(words: string): string {
  if (words.trim() === '')
    return 'Finds messages, answers, plans, commands, output and changed lines of every session, also parts of words. It works offline and needs no key.'
  const isLong = words.split(/\s+/u).some((word) => [...word.replaceAll('"', '')].length >= MIN_LETTERS)
  return isLong ? 'Nothing was found. Try fewer or shorter words, or fewer filters.' : `Type at least ${MIN_LETTERS} letters.`
}
