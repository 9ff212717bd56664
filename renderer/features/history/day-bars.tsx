import type { ReactNode } from 'react'
import { dayOf } from '../../../shared/api/history.ts'
import { calendarDay, counted } from '../../ui/format.ts'
import styles from './history.module.css'
import { dayStart } from './use-history-search.ts'

/** Maximum number of bars. Each covers the same number of days. */
const MAX_BARS = 36
const DAY_MS = 86_400_000

/** The number of hits on the days from `from` to `to`, both included. */
export interface DayBar {
  readonly from: string
  readonly to: string
  readonly count: number
}

/** Divides the days from the first to the last hit into bars of the same width. */
export function barsOf(byDay: Readonly<Record<string, number>>): readonly DayBar[] {
  const days = Object.keys(byDay).toSorted()
  const first = dayStart(days[0] ?? '', 0)
  const last = dayStart(days.at(-1) ?? '', 0)
  if (first === null || last === null) return []
  const all = Math.round((last - first) / DAY_MS) + 1
  const width = Math.ceil(all / MAX_BARS)
  return Array.from({ length: Math.ceil(all / width) }, (_, bar) => {
    const own = Array.from({ length: width }, (__, day) => dayOf(dayStart(days[0] ?? '', bar * width + day) ?? first))
    return { from: own[0] ?? '', to: own.at(-1) ?? '', count: own.reduce((sum, day) => sum + (byDay[day] ?? 0), 0) }
  })
}

export interface DayBarsProps {
  readonly byDay: Readonly<Record<string, number>>
  readonly onChoose: (days: Pick<DayBar, 'from' | 'to'>) => void
}

/** Shows how the hits are distributed over time. A click on a bar chooses its days. */
export function DayBars({ byDay, onChoose }: DayBarsProps): ReactNode {
  const bars = barsOf(byDay)
  const most = Math.max(...bars.map(({ count }) => count))
  const first = dayStart(bars[0]?.from ?? '', 0)
  const last = dayStart(bars.at(-1)?.to ?? '', 0)
  if (bars.length < 2 || first === null || last === null) return null
  return (
    <div className={styles.days}>
      <div className={styles.bars} role="group" aria-label="Hits by day">
        {bars.map(({ from, to, count }) => {
          const words = `${from === to ? from : `${from} to ${to}`}: ${counted(count, 'hit')}`
          return (
            <button
              key={from}
              type="button"
              tabIndex={-1}
              disabled={count === 0}
              aria-label={words}
              data-tip={words}
              onClick={() => onChoose({ from, to })}
            >
              <span style={{ blockSize: `${count === 0 ? 0 : Math.max(8, (count / most) * 100)}%` }} />
            </button>
          )
        })}
      </div>
      <p className={styles.ends}>
        <span>{calendarDay(first)}</span>
        <span>{calendarDay(last)}</span>
      </p>
    </div>
  )
}
