import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { added, removed } from '../format.ts'
import { ExactText } from '../text/exact-text.tsx'
import styles from './file-row.module.css'
import { MiddlePath } from '../text/middle-path.tsx'

export interface FileRowProps {
  /** Null when the heading above already shows it. */
  readonly path: string | null
  /** Added and removed lines; left out where they have no meaning, as for an image. */
  readonly added?: number | undefined
  readonly removed?: number | undefined
  /** "new", "renamed from …", "deleted", "binary". */
  readonly note?: ReactNode
  /** Text that is hidden first when there is little room: "steps 3, 5". */
  readonly aside?: ReactNode
  /** Shows the whole path with invisible characters made visible, for requests. */
  readonly whole?: boolean | undefined
  readonly actions?: ReactNode
  /** Small quiet buttons that show on hover and focus, over the end of the row, without moving anything. */
  readonly hoverActions?: ReactNode
  /** Of its heading: one below that of what it stands under. 3 when left out. */
  readonly level?: 2 | 3 | undefined
  readonly id?: string | undefined
}

/** The header of a file's hunks. A path that is too long is shortened in the middle. */
export function FileRow(props: FileRowProps): ReactNode {
  const { path, whole = false, level = 3 } = props
  const Heading = `h${level}` as const
  return (
    <div className={classNames(styles.row, whole && styles.whole)} id={props.id}>
      {path !== null && <Heading className={styles.path}>{whole ? <ExactText text={path} /> : <MiddlePath path={path} />}</Heading>}
      {props.note !== undefined && <span className={styles.note}>{props.note}</span>}
      {props.aside !== undefined && <span className={styles.aside}>{props.aside}</span>}
      <span className={styles.end}>
        {props.hoverActions && <span className={styles.hoverActions}>{props.hoverActions}</span>}
        {props.actions}
        {props.added !== undefined && <span className="add">{added(props.added)}</span>}
        {props.removed !== undefined && <span className="del">{removed(props.removed)}</span>}
      </span>
    </div>
  )
}
