import { Pause, Play, StepBack, StepForward } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, type ReactNode, type RefObject, useMemo } from 'react'
import type { ReplayOutline, ReplayStop, ReplayStopKind } from '../../../shared/api/replay.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { clockTime } from '../../ui/format.ts'
import { Kbd } from '../../ui/marks/kbd.tsx'
import { Mark, type MarkKind } from '../../ui/marks/mark.tsx'
import styles from './replay.module.css'
import { MAX_WAIT_MS, type Player, SPEEDS } from './use-replay.ts'

/** Maximum number of marks that are drawn. In a longer session, less important marks are left out. */
const MAX_MARKS = 240
/**
 * Minimum distance between two stops on the bar, as a share of the distance for a wait of `MAX_WAIT_MS` or more, so that two marks do not
 * cover each other.
 */
const LEAST_SHARE = 0.15

const MARKS: Readonly<Record<ReplayStopKind, MarkKind>> = {
  you: 'you',
  answer: 'note',
  asks: 'pending',
  signed: 'signed',
  refused: 'refused',
  done: 'read',
  failed: 'failed',
  undone: 'undone',
  trouble: 'failed',
}
const MATTERS: ReadonlySet<ReplayStopKind> = new Set(['you', 'signed', 'refused', 'failed', 'undone', 'trouble'])

export interface ScrubBarProps {
  readonly player: Player
  readonly outline: ReplayOutline
  readonly field: RefObject<HTMLInputElement | null>
  readonly onTurn: (by: 1 | -1) => void
  readonly onStep: (step: number) => void
}

/** The bar below a replay: every stop at its time, with long waits shortened, and the controls. */
export function ScrubBar({ player, outline: { stops }, field, onTurn, onStep }: ScrubBarProps): ReactNode {
  const { at, go } = player
  const places = useMemo(() => placesOf(stops), [stops])
  const stop = stops[at]
  const steps = stops.at(-1)?.step ?? 0
  const toPointer = (event: PointerEvent<HTMLElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    go(nearest(places, (event.clientX - left) / width))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = moved(event.key, at, stops.length)
    if (event.key === 'PageUp' || event.key === 'PageDown') onTurn(event.key === 'PageUp' ? -1 : 1)
    else if (to === null) return
    else go(to)
    event.preventDefault()
  }
  return (
    <section className={styles.scrub} aria-label="Replay">
      <div
        className={styles.line}
        role="slider"
        tabIndex={0}
        aria-label="Moment of the session"
        aria-valuemin={1}
        aria-valuemax={stops.length}
        aria-valuenow={at + 1}
        aria-valuetext={stop ? `${clockTime(stop.at)}, ${stepWords(stop, steps)}` : undefined}
        data-page-focus=""
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          toPointer(event)
        }}
        onPointerMove={(event) => event.buttons > 0 && toPointer(event)}
      >
        <Marks stops={stops} places={places} />
        <i className={styles.head} style={{ left: `${(places[at] ?? 0) * 100}%` }} />
      </div>
      <Controls player={player} stop={stop} steps={steps} field={field} onStep={onStep} />
    </section>
  )
}

const stepWords = ({ step }: ReplayStop, steps: number): string => `step ${step} of ${steps}`

interface ControlsProps extends Pick<ScrubBarProps, 'player' | 'field' | 'onStep'> {
  readonly stop: ReplayStop | undefined
  readonly steps: number
}

function Controls({ player, stop, steps, field, onStep }: ControlsProps): ReactNode {
  const { at, go, isPlaying, play } = player
  return (
    <div className={styles.controls}>
      <Button variant="quiet" only small icon={StepBack} label="Step back" onPress={() => go(at - 1)} />
      <Button only small icon={isPlaying ? Pause : Play} label={isPlaying ? 'Pause' : 'Play'} onPress={() => play(!isPlaying)} />
      <Button variant="quiet" only small icon={StepForward} label="Step forward" onPress={() => go(at + 1)} />
      <span className="num">
        {stop && clockTime(stop.at)} <span className="dim">{stop && stepWords(stop, steps)}</span>
      </span>
      <label className={styles.goTo}>
        Go to step
        <input
          ref={field}
          inputMode="numeric"
          size={4}
          onKeyDown={(event) => {
            const step = Number(event.currentTarget.value)
            if (event.key !== 'Enter' || !Number.isInteger(step) || step < 1) return
            onStep(step)
            event.currentTarget.value = ''
            event.currentTarget.blur()
          }}
        />
      </label>
      <span className={styles.keys}>
        <span>
          <Kbd keys="Space" /> play
        </span>
        <span>
          <Kbd keys="," /> <Kbd keys="." /> step
        </span>
        <span>
          <Kbd keys="[" /> <Kbd keys="]" /> turn
        </span>
        <span>
          <Kbd keys="G" /> go to a step
        </span>
      </span>
      <span className={styles.cut}>{`pauses shortened to ${MAX_WAIT_MS / 1_000} s`}</span>
      <Segmented
        label="Speed"
        segments={SPEEDS.map((id) => ({ id, label: `${id}×` }))}
        selected={player.speed}
        onSelect={player.setSpeed}
      />
    </div>
  )
}

interface MarksProps {
  readonly stops: readonly ReplayStop[]
  readonly places: readonly number[]
}

function Marks({ stops, places }: MarksProps): ReactNode {
  return useMemo(() => {
    const all = stops.map((stop, index) => ({ ...stop, index, left: places[index] ?? 0 }))
    const waits = all.filter(({ kind, at, index }) => kind === 'asks' && (stops[index + 1]?.at ?? at) - at > MAX_WAIT_MS)
    const drawn = all.length <= MAX_MARKS ? all : all.filter(({ kind }) => MATTERS.has(kind))
    const every = Math.ceil(drawn.length / MAX_MARKS)
    return (
      <>
        {waits.map(({ index, left }) => (
          <i
            key={index}
            className={styles.wait}
            style={{ left: `${left * 100}%`, width: `${((places[index + 1] ?? left) - left) * 100}%` }}
          />
        ))}
        {drawn
          .filter((_, index) => index % every === 0)
          .map(({ index, left, kind }) => (
            <span key={index} className={styles.mark} style={{ left: `${left * 100}%` }} aria-hidden>
              <Mark kind={MARKS[kind]} silent />
            </span>
          ))}
      </>
    )
  }, [stops, places])
}

/** Returns the position of each stop on the bar, from 0 to 1, by time. Long waits are shortened. */
function placesOf(stops: readonly ReplayStop[]): readonly number[] {
  let sum = 0
  const sums = stops.map((stop, index) => {
    const before = stops[index - 1]
    if (before) sum += Math.min(1, Math.max(LEAST_SHARE, (stop.at - before.at) / MAX_WAIT_MS))
    return sum
  })
  return sums.map((one) => (sum === 0 ? 0 : one / sum))
}

/** Index of the stop nearest to a position on the bar. */
function nearest(places: readonly number[], place: number): number {
  const after = places.findIndex((one) => one >= place)
  if (after === -1) return places.length - 1
  const low = places[after - 1]
  const high = places[after] ?? 0
  return low !== undefined && place - low < high - place ? after - 1 : after
}

function moved(key: string, at: number, count: number): number | null {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return at - 1
  if (key === 'ArrowRight' || key === 'ArrowUp') return at + 1
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}
