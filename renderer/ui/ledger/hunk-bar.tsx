import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { type MarkKind, Mark } from '../marks/mark.tsx'
import styles from './hunk-bar.module.css'

export interface HunkBarProps {
  /** Lines it covers: "14–20". */
  readonly where?: string | undefined
  readonly mark: MarkKind
  readonly markWord?: string | undefined
  /** Its name and state: `parseDay` "2 of 3". */
  readonly what: ReactNode
  readonly actions?: ReactNode
  /** The one that keys act on: a bar runs down its margin. */
  readonly current?: boolean | undefined
  readonly id?: string | undefined
  /** Its lines. */
  readonly children?: ReactNode
}

/** One hunk: its header on the axis and its lines below. A refused hunk stays, faded. */
export function HunkBar(props: HunkBarProps): ReactNode {
  const { mark, current = false } = props
  return (
    <div
      className={classNames(styles.hunk, current && styles.current, mark === 'refused' && styles.rejected)}
      id={props.id}
      aria-current={current || undefined}
      data-hunk={mark}
    >
      <div className={styles.bar}>
        <span className={styles.where}>{props.where}</span>
        <Mark kind={mark} word={props.markWord} />
        <div className={styles.what}>{props.what}</div>
        <div className={styles.actions}>{props.actions}</div>
      </div>
      {props.children !== undefined && <div className={styles.code}>{props.children}</div>}
    </div>
  )
}
