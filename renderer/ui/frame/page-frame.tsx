import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { Button } from '../controls/button.tsx'
import styles from './page-frame.module.css'
import { Pane, PaneHead } from './panes/pane.tsx'
import { ErrorBoundary } from '../notices/error-boundary.tsx'
import { TooltipLayer } from './tooltip-layer.tsx'

export interface PageFrameProps {
  /** The accessible name: "Settings", "Steps". */
  readonly navLabel: string
  /** The left pane: navigation and a close button. */
  readonly nav: ReactNode
  /**
   * A second pane beside the left pane, such as a list of files, with its accessible name. It is 248 px wide, or 400 px if `isWide` is set
   * and the window is at least 1360 px wide. Below 1080 px it replaces the left pane.
   */
  readonly list?: { readonly label: string; readonly pane: ReactNode; readonly isWide?: boolean }
  readonly children: ReactNode
  /** A row above the status strip, below all panes. */
  readonly foot?: ReactNode
  readonly status: ReactNode
}

/** A full-window page: settings or a review. Its panes have fixed widths. An error in one of them leaves the others usable. */
export function PageFrame({ navLabel, nav, list, children, foot, status }: PageFrameProps): ReactNode {
  return (
    <div className={styles.page}>
      <div
        className={classNames(
          styles.frame,
          list !== undefined && styles.three,
          list?.isWide && styles.wideList,
          foot !== undefined && styles.footed,
        )}
      >
        <nav className={styles.nav} aria-label={navLabel}>
          <ErrorBoundary what={navLabel}>{nav}</ErrorBoundary>
        </nav>
        {list !== undefined && (
          <aside className={styles.list} aria-label={list.label}>
            <ErrorBoundary what={list.label}>{list.pane}</ErrorBoundary>
          </aside>
        )}
        <div className={styles.main}>
          <ErrorBoundary what="This pane">{children}</ErrorBoundary>
        </div>
        {foot !== undefined && (
          <div className={styles.foot}>
            <ErrorBoundary what="This row" isFrameless>
              {foot}
            </ErrorBoundary>
          </div>
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

export interface PageNavProps {
  readonly label: string
  /** Label of the button that closes the page. */
  readonly closeWords: string
  /** Content beside that button. */
  readonly lead?: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The left pane of a page: the button that closes the page, and navigation. */
export function PageNav({ label, closeWords, lead, onClose, children }: PageNavProps): ReactNode {
  return (
    <Pane kind="sessions" label={label}>
      <PaneHead
        titleBar
        lead={lead}
        end={
          <Button variant="quiet" small icon={X} keys="Esc" onPress={onClose}>
            {closeWords}
          </Button>
        }
      />
      {children}
    </Pane>
  )
}
