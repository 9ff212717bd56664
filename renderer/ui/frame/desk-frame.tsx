import { type ReactNode, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import { ErrorBoundary } from '../notices/error-boundary.tsx'
import { deskSize, inspectorLimits, sessionsLimits, useElementWidth } from './desk-widths.ts'
import { Drawer, type DrawerState } from './panes/drawer.tsx'
import styles from './desk-frame.module.css'
import { Splitter } from './panes/splitter.tsx'
import { TooltipLayer } from './tooltip-layer.tsx'

interface SidePane {
  /** The `Pane`. */
  readonly pane: ReactNode
  /** Shown in place of the pane when the pane is folded or the window is narrow: a rail (48 px) or a strip of tabs (40 px). */
  readonly folded: ReactNode
  /** Whether the pane is open as a column (from 1080 px on). */
  readonly shown: boolean
  /** Whether the pane is open as a drawer (below 1080 px). */
  readonly drawn: boolean
  readonly onUndraw: () => void
  /** Width in pixels that the user chose. Null for the default. */
  readonly width: number | null
  /** Called after a divider was moved, so that the width can be stored. `width` is null after a reset. */
  readonly onWidth: (width: number | null) => void
}

export interface DeskFrameProps {
  readonly sessions: SidePane
  /** Null if there is nothing to inspect. The inspector then needs no space. */
  readonly inspector: SidePane | null
  /** The work pane. */
  readonly children: ReactNode
  /** Whether the work pane gets more room: the side panes are folded and open as drawers. */
  readonly isRoomy?: boolean | undefined
  readonly status: ReactNode
}

/**
 * The complete window: sessions, work pane, inspector, status strip, dividers, and tooltips. An error in one of them leaves the others
 * usable.
 */
export function DeskFrame({ sessions, inspector, children, isRoomy = false, status }: DeskFrameProps): ReactNode {
  const desk = useRef<HTMLDivElement>(null)
  const width = useElementWidth(desk)
  const size = deskSize(width)
  const narrow = size === 'narrow' || isRoomy
  const left = {
    ...sessions,
    limits: sessionsLimits(size),
    side: 'left',
    name: 'The list of sessions',
    label: 'Width of sessions',
  } as const
  const right = {
    ...(inspector ?? NOTHING),
    limits: inspectorLimits(size, width),
    side: 'right',
    name: 'The inspector',
    label: 'Width of the inspector',
  } as const
  const leftColumn = useColumn(left, narrow && size !== 'wide')
  const rightColumn = useColumn(right, narrow)
  return (
    <div className={styles.desk} ref={desk} data-size={size}>
      <div
        className={styles.frame}
        style={{ gridTemplateColumns: `${leftColumn.track} minmax(min(520px, 100% - 580px), 1fr) ${inspector ? rightColumn.track : ''}` }}
      >
        <nav className={classNames(styles.side, styles.left)} aria-label="Sessions">
          {leftColumn.state !== 'column' && (
            <div className={classNames(styles.rail, leftColumn.state === 'open' && styles.covered)}>{leftColumn.folded}</div>
          )}
          {leftColumn.pane}
          {leftColumn.divider}
        </nav>
        <div className={styles.work}>
          <ErrorBoundary what="This pane">{children}</ErrorBoundary>
        </div>
        {inspector && (
          <aside className={classNames(styles.side, styles.right)} aria-label="Inspector">
            {rightColumn.divider}
            {rightColumn.state !== 'column' && (
              <div className={classNames(styles.strip, rightColumn.state === 'open' && styles.covered)}>{rightColumn.folded}</div>
            )}
            {rightColumn.pane}
          </aside>
        )}
        <div className={styles.status}>
          <ErrorBoundary what="The status" isFrameless>
            {status}
          </ErrorBoundary>
        </div>
      </div>
      <TooltipLayer />
    </div>
  )
}

const NOTHING: SidePane = {
  pane: null,
  folded: null,
  shown: false,
  drawn: false,
  onUndraw() {},
  width: null,
  onWidth() {},
}

type Side = SidePane & {
  readonly limits: { readonly min: number; readonly max: number; readonly initial: number }
  readonly side: 'left' | 'right'
  readonly name: string
  /** The accessible name of the divider. */
  readonly label: string
}

interface Column {
  readonly state: DrawerState
  readonly track: string
  readonly pane: ReactNode
  readonly folded: ReactNode
  readonly divider: ReactNode
}

function useColumn(side: Side, narrow: boolean): Column {
  const [dragged, setDragged] = useState<number | null>(null)
  const state = columnState(side, narrow)
  const stands = state === 'column'
  const { min, max, initial } = side.limits
  const wanted = Math.min(max, Math.max(min, dragged ?? side.width ?? initial))
  const folded = side.side === 'left' ? 48 : 40
  return {
    state,
    track: stands ? `minmax(${min}px, ${wanted}px)` : `${folded}px`,
    pane: (
      <Drawer side={side.side} state={state} onClose={side.onUndraw}>
        <ErrorBoundary what={side.name}>{side.pane}</ErrorBoundary>
      </Drawer>
    ),
    folded: <ErrorBoundary what={side.name}>{side.folded}</ErrorBoundary>,
    divider: stands ? (
      <div className={styles.divider}>
        <Splitter
          label={side.label}
          pane={side.side}
          width={wanted}
          min={min}
          max={max}
          onResize={setDragged}
          onRest={(width) => {
            setDragged(null)
            side.onWidth(width)
          }}
          onReset={() => side.onWidth(null)}
        />
      </div>
    ) : null,
  }
}

function columnState({ shown, drawn }: SidePane, narrow: boolean): DrawerState {
  if (narrow) return drawn ? 'open' : 'closed'
  return shown ? 'column' : 'closed'
}
