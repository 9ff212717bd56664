import type { ReactNode, Ref, UIEventHandler } from 'react'
import { classNames } from '../../class-names.ts'
import { axisClass } from '../../ledger/ledger.tsx'
import styles from './pane.module.css'
import paneHeadStyles from './pane-head.module.css'
import { foreign } from '../../text/exact-text.tsx'
import ring from '../focus-ring.module.css'
import paneScrollStyles from './pane-scroll.module.css'

export interface PaneProps {
  /** `work` has the paper background and the axis, `sessions` the chrome background, `inspector` the paper background. */
  readonly kind: 'sessions' | 'work' | 'inspector'
  /** The accessible name, which F6 also announces: "Sessions", "March invoices", "Inspector". */
  readonly label: string
  /** Whether the pane is one of two, in a landmark that contains both. */
  readonly isOfPair?: boolean | undefined
  readonly className?: string | undefined
  readonly ref?: Ref<HTMLDivElement> | undefined
  readonly children: ReactNode
}

/**
 * A pane of the desk with `PaneHead`s and one `PaneScroll`. F6 can focus it. `work` is the main landmark. The frame contains the other
 * landmarks.
 */
export function Pane({ kind, label, isOfPair = false, className, ref, children }: PaneProps): ReactNode {
  const work = kind === 'work'
  const Box = work && !isOfPair ? 'main' : 'div'
  return (
    <Box
      ref={ref}
      role={work && !isOfPair ? undefined : 'group'}
      className={classNames(styles.pane, ring.self, styles[kind], work && axisClass(), className)}
      aria-label={label}
      tabIndex={-1}
      data-pane={kind}
    >
      {children}
    </Box>
  )
}

interface PaneHeadProps {
  /** Content before the title: a back button. */
  readonly lead?: ReactNode
  readonly title?: ReactNode
  /** 1 for the main heading of the window. */
  readonly rank?: 1 | 2 | undefined
  /** Short text after the title. This text is hidden first when there is little room. */
  readonly aside?: ReactNode
  /** Content aligned right: selects, buttons. */
  readonly end?: ReactNode
  /** `head`: 40 px high, at the top of a pane. `bar`: at least 36 px high, below the head. */
  readonly level?: 'head' | 'bar' | undefined
  /** Whether the system draws its window buttons above the heading (macOS). Dragging the heading then moves the window. */
  readonly titleBar?: boolean | undefined
  /** Content in place of title and aside: tabs, a field. */
  readonly children?: ReactNode
}

/** The heading of a pane, or the bar below it. */
export function PaneHead({ lead, title, rank = 2, aside, end, level = 'head', titleBar = false, children }: PaneHeadProps): ReactNode {
  const Heading = rank === 1 ? 'h1' : 'h2'
  return (
    <header className={classNames(paneHeadStyles.head, level === 'bar' && paneHeadStyles.bar, titleBar && paneHeadStyles.titleBar)}>
      {lead}
      {title !== undefined && <Heading className={paneHeadStyles.title}>{foreign(title)}</Heading>}
      {aside !== undefined && <span className={paneHeadStyles.aside}>{aside}</span>}
      {children}
      {end !== undefined && <div className={paneHeadStyles.end}>{end}</div>}
    </header>
  )
}

interface PaneScrollProps {
  /** Accessible name: "Ledger". */
  readonly label: string
  /** Whether there is padding above and below, for lists. */
  readonly padded?: boolean | undefined
  readonly onScroll?: UIEventHandler<HTMLElement> | undefined
  readonly ref?: Ref<HTMLElement> | undefined
  readonly children: ReactNode
}

/** The scrolling part of a pane. It can be focused, so that keys can scroll it. */
export function PaneScroll({ label, padded = false, onScroll, ref, children }: PaneScrollProps): ReactNode {
  return (
    <div className={classNames(ring.around, paneScrollStyles.room)}>
      <section
        ref={ref}
        className={classNames(paneScrollStyles.scroll, padded && paneScrollStyles.padded)}
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable areas must be reachable by keyboard
        tabIndex={0}
        onScroll={onScroll}
      >
        {children}
      </section>
    </div>
  )
}
