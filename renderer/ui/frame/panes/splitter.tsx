import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react'
import styles from './splitter.module.css'

export interface SplitterProps {
  /** The accessible name: "Width of sessions". */
  readonly label: string
  /** The side of the divider on which the resized pane is. */
  readonly pane: 'left' | 'right'
  /** Current width of the resized pane in pixels. */
  readonly width: number
  readonly min: number
  readonly max: number
  /** Called while the divider moves, by pointer or keys. */
  readonly onResize: (width: number) => void
  /** Called when the move has ended, so that the width can be stored. */
  readonly onRest: (width: number) => void
  /** Called on a double click or Enter, to restore the default width. */
  readonly onReset: () => void
}

/**
 * A draggable divider, 1 px wide with a 9 px grab area. Arrow keys move it by 8 px, with Shift by 32 px. Home and End move it to the
 * limits.
 */
export function Splitter(props: SplitterProps): ReactNode {
  const { pane, width, min, max } = props
  const drag = useRef<{ readonly fromX: number; readonly fromWidth: number; width: number } | null>(null)
  const clamp = (value: number): number => Math.round(Math.min(max, Math.max(min, value)))

  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { fromX: event.clientX, fromWidth: width, width }
  }
  const onPointerMove = (event: PointerEvent): void => {
    if (drag.current === null) return
    const by = event.clientX - drag.current.fromX
    drag.current.width = clamp(drag.current.fromWidth + (pane === 'left' ? by : -by))
    props.onResize(drag.current.width)
  }
  const onPointerEnd = (): void => {
    const ended = drag.current
    drag.current = null
    if (ended !== null && ended.width !== ended.fromWidth) props.onRest(ended.width)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      props.onReset()
      return
    }
    const to = splitterKey(event, { pane, width, min, max })
    if (to === null) return
    event.preventDefault()
    props.onResize(clamp(to))
    props.onRest(clamp(to))
  }

  return (
    <div
      className={styles.splitter}
      role="separator"
      aria-orientation="vertical"
      aria-label={props.label}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={clamp(width)}
      tabIndex={0}
      data-splitter={pane}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
      onDoubleClick={props.onReset}
      onKeyDown={onKeyDown}
    />
  )
}

interface SplitterState {
  readonly pane: 'left' | 'right'
  readonly width: number
  readonly min: number
  readonly max: number
}

/** The new width of the resized pane after a key press on its divider, in pixels and not yet limited. Null for other keys. */
export function splitterKey(event: { readonly key: string; readonly shiftKey: boolean }, state: SplitterState): number | null {
  const step = event.shiftKey ? 32 : 8
  const outwards = state.pane === 'left' ? 'ArrowRight' : 'ArrowLeft'
  const inwards = state.pane === 'left' ? 'ArrowLeft' : 'ArrowRight'
  switch (event.key) {
    case outwards:
      return state.width + step
    case inwards:
      return state.width - step
    case 'Home':
      return state.min
    case 'End':
      return state.max
    default:
      return null
  }
}
