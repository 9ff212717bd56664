import { Search } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { isLongEnough, MIN_LETTERS, wordsOf } from '../../../shared/api/history.ts'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { counted, duration } from '../../ui/format.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import styles from './history.module.css'
import type { FoundHistory } from './use-history-search.ts'

interface CountsProps {
  readonly found: FoundHistory
  readonly order: 'newest' | 'best'
  readonly onOrder: (order: 'newest' | 'best') => void
}

/** The number of hits, and the choice of their order. */
export function Counts({ found, order, onOrder }: CountsProps): ReactNode {
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
  /** Id of the list of hits. Hits have the ids `${listId}-${index}`. */
  readonly listId: string
  readonly words: string
  /** Null if there are no hits. */
  readonly active: number | null
  readonly onChange: (words: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

export function SearchField({ listId, words, active, onChange, onKeyDown }: SearchFieldProps): ReactNode {
  return (
    <div className={styles.search}>
      <Icon glyph={Search} />
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user opens this page to type here
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
  const inSessions = Object.keys(answer.bySession).length
  const total = `${answer.isBound ? 'more than ' : ''}${answer.total}`
  return [`${total} in ${counted(inSessions, 'session')}`, duration(tookMs), ...unread].join(', ')
}

interface SearchWithoutResults {
  readonly words: string
  /** Whether sessions are listed, because there is nothing to search for. */
  readonly isListed: boolean
  readonly isSearching: boolean
}

/** What is shown in place of results. */
export function emptyWords({ words, isListed, isSearching }: SearchWithoutResults): string {
  if (isListed)
    return 'Finds messages, answers, plans, commands, output and changed lines of every session, even parts of words. It works offline and needs no key.'
  if (words.trim() !== '' && !wordsOf(words).some(isLongEnough)) return `Type at least ${MIN_LETTERS} letters.`
  return isSearching ? 'Searching …' : 'Nothing was found. Try fewer or shorter words, or fewer filters.'
}
