import type { ReactNode } from 'react'
import type { ReplayOutline, ReplayTurn } from '../../../shared/api/replay.ts'
import { classNames } from '../../ui/class-names.ts'
import { PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { clockTime, counted, span } from '../../ui/format.ts'
import { Dot } from '../../ui/marks/dot.tsx'
import { ForeignText } from '../../ui/text/exact-text.tsx'
import styles from './replay.module.css'

export interface ReplayTurnsProps {
  readonly outline: ReplayOutline
  /** Index of the turn at the current moment. -1 before the first turn. */
  readonly current: number
  readonly onGo: (turn: ReplayTurn) => void
}

/** The left part of a replay: the turns, and how long the current turn waited for the user, the model and its steps. */
export function ReplayTurns({ outline: { turns, readable, events }, current, onGo }: ReplayTurnsProps): ReactNode {
  const turn = turns[current]
  return (
    <>
      <PaneScroll label="Turns" padded>
        <h2 className={styles.label}>Turns</h2>
        <ol className={styles.turns}>
          {turns.map((one, index) => (
            <li key={one.seq}>
              <button
                type="button"
                className={classNames(styles.turn, index === current && styles.current)}
                aria-current={index === current || undefined}
                onClick={() => onGo(one)}
              >
                <span className="num">{clockTime(one.at).slice(0, 5)}</span>
                <span className={styles.title}>
                  <ForeignText text={one.title || 'Pictures only'} />
                </span>
                <span className={styles.meta}>
                  {counted(one.stepsAfter - one.stepsBefore, 'step')}, {span(one.tookMs)}
                </span>
              </button>
            </li>
          ))}
        </ol>
        {turn && (
          <>
            <h2 className={styles.label}>Time spent in this turn</h2>
            <dl className={styles.waits}>
              <dt>{turn.answers > 0 ? `You, ${counted(turn.answers, 'answer')}` : 'You'}</dt>
              <dd>{span(turn.personMs)}</dd>
              <dt>Model</dt>
              <dd>{span(turn.modelMs)}</dd>
              <dt>Steps</dt>
              <dd>{span(turn.commandMs)}</dd>
            </dl>
          </>
        )}
      </PaneScroll>
      <p className={styles.proof}>
        <Dot state={readable === events ? 'proven' : 'failed'} silent />
        {readable === events ? `${counted(events, 'event')}, nothing missing` : `${readable} of ${counted(events, 'event')} can be read`}
      </p>
    </>
  )
}
