import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { type MarkKind, Mark } from '../marks/mark.tsx'
import styles from './hunk-bar.module.css'

export interface HunkBarProps {
  /** The lines that the hunk covers: "14–20". */
  readonly where?: string | undefined
  readonly mark: MarkKind
  readonly markWord?: string | undefined
  /** Name and state of the hunk, such as `parseDay` and "2 of 3". */
  readonly what: ReactNode
  readonly actions?: ReactNode
  /** Whether keys act on this hunk. If so, it has a bar in its margin. */
  readonly current?: boolean | undefined
  /** The lines of the hunk. */
  readonly children?: ReactNode
}

/** One hunk: its heading on the ledger's axis, and its lines below the heading. A refused hunk is still shown, but faded. */
export function HunkBar(props: HunkBarProps): ReactNode {
  const { mark, current = false } = props
  return (
    <div
      className={classNames(styles.hunk, current && styles.current, mark === 'refused' && styles.refused)}
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
