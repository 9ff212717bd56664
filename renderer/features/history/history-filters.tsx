import { type ReactNode, useState } from 'react'
import { FOUND_IN, type FoundIn, type HistoryAnswer, type HistoryState, SESSION_STATES } from '../../../shared/api/history.ts'
import { nameOf } from '../../state/stores/session-list.ts'
import { classNames } from '../../ui/class-names.ts'
import { Field } from '../../ui/controls/field.tsx'
import { DayBars } from './day-bars.tsx'
import styles from './history.module.css'
import type { HistoryFilters } from './use-history-search.ts'

const STATES: Readonly<Record<HistoryState, string>> = {
  needs: 'Needs you',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  archived: 'Archived',
}

const PLACES: Readonly<Record<FoundIn, string>> = {
  you: 'Your messages',
  answer: 'Answers',
  plan: 'Plans',
  diff: 'Changed files',
  refused: 'Refused changes',
  run: 'Commands',
  output: 'Output',
}

export interface HistoryFiltersProps {
  /** Whether the filters are unfolded. In a narrow window they are folded at first. */
  readonly isOpen: boolean
  readonly filters: HistoryFilters
  /** Null while nothing has been counted. Then the filters have no numbers. */
  readonly answer: HistoryAnswer | null
  /** Whether the answer counts sessions, because there are no words to search for. Then there are no counts per place. */
  readonly ofSessions: boolean
  readonly onChange: (change: Partial<HistoryFilters>) => void
}

/** Each filter with the number of hits that choosing it would show. */
export function HistoryFilterLists({ isOpen, filters, answer, ofSessions, onChange }: HistoryFiltersProps): ReactNode {
  const models = Object.entries(answer?.byModel ?? {}).toSorted(([, a], [, b]) => b - a)
  const folders = Object.entries(answer?.byFolder ?? {}).toSorted(([, a], [, b]) => b - a)
  const sum = (counts: readonly number[]): number | null => (answer ? counts.reduce((all, count) => all + count, 0) : null)
  const isOfPlaces = answer !== null && !ofSessions
  return (
    <div className={classNames(styles.filters, !isOpen && styles.folded)}>
      <FilterList
        title="Found in"
        all="Everything"
        selected={filters.foundIn}
        total={ofSessions ? null : sum(Object.values(answer?.byPlace ?? {}))}
        options={FOUND_IN.map((place) => ({ id: place, words: PLACES[place], count: isOfPlaces ? (answer.byPlace[place] ?? 0) : null }))}
        onSelect={(foundIn) => onChange({ foundIn })}
      />
      <FilterList
        title="Project"
        all="All projects"
        selected={filters.folder}
        total={sum(folders.map(([, count]) => count))}
        options={folders.map(([folder, count]) => ({ id: folder, words: nameOf(folder), count }))}
        onSelect={(folder) => onChange({ folder })}
      />
      <FilterList
        title="State"
        all="Any state"
        selected={filters.state}
        total={sum(Object.values(answer?.byState ?? {}))}
        options={SESSION_STATES.map((state) => ({ id: state, words: STATES[state], count: answer ? (answer.byState[state] ?? 0) : null }))}
        onSelect={(state) => onChange({ state })}
      />
      <FilterList
        title="Model"
        all="Any model"
        selected={filters.model}
        total={sum(models.map(([, count]) => count))}
        options={models.map(([model, count]) => ({ id: model, words: model, count }))}
        onSelect={(model) => onChange({ model })}
      />
      <section>
        <h3 className={styles.filterTitle}>When</h3>
        {answer && <DayBars byDay={answer.byDay} onChoose={onChange} />}
        <Day label="From" value={filters.from} onChange={(from) => onChange({ from })} />
        <Day label="To" value={filters.to} onChange={(to) => onChange({ to })} />
      </section>
      <div className={styles.touched}>
        <Field
          label="Changed a file"
          labelShown
          mono
          value={filters.touched}
          whileEmpty="src/**/*.ts"
          onChange={(touched) => onChange({ touched })}
        />
      </div>
    </div>
  )
}

interface DayProps {
  readonly label: string
  /** A day such as `2026-11-22`. Empty if there is none. */
  readonly value: string
  readonly onChange: (day: string) => void
}

/** A day as text, because a date field shows the day in the order of the browser's language. */
function Day({ label, value, onChange }: DayProps): ReactNode {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  if (value !== known) {
    setKnown(value)
    setTyped(value)
  }
  const type = (text: string): void => {
    setTyped(text)
    const day = text.trim()
    if (day !== value && (day === '' || isDay(day))) onChange(day)
  }
  const isWrong = typed.trim() !== '' && !isDay(typed.trim())
  return (
    <div className={styles.dayField}>
      <Field
        label={label}
        labelShown
        mono
        value={typed}
        whileEmpty="2026-11-22"
        error={isWrong && typed.trim().length >= DAY_LENGTH ? `${typed.trim()} is not a day. Write it as 2026-11-22.` : null}
        onChange={type}
      />
    </div>
  )
}

const DAY_LENGTH = '2026-11-22'.length

/** Whether a text is a day of the calendar, such as `2026-11-22`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

interface FilterListProps<Id extends string> {
  readonly title: string
  readonly all: string
  readonly selected: Id | null
  /** Null if there is no count. */
  readonly total: number | null
  readonly options: readonly { readonly id: Id; readonly words: string; readonly count: number | null }[]
  readonly onSelect: (id: Id | null) => void
}

function FilterList<Id extends string>({ title, all, selected, total, options, onSelect }: FilterListProps<Id>): ReactNode {
  return (
    <section>
      <h3 className={styles.filterTitle}>{title}</h3>
      <ul>
        {[{ id: null, words: all, count: total }, ...options].map(({ id, words, count }) => (
          <li key={id ?? ''}>
            <button
              type="button"
              className={classNames(styles.filter, id === selected && styles.chosen)}
              aria-pressed={id === selected}
              onClick={() => onSelect(id)}
            >
              <span className="clip">{words}</span>
              <span className={styles.count}>{count}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
