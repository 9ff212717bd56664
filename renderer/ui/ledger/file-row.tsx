import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { added, removed } from '../format.ts'
import { ExactText } from '../text/exact-text.tsx'
import styles from './file-row.module.css'
import { MiddlePath } from '../text/middle-path.tsx'

export interface FileRowProps {
  /** Null where what stands above has said it. */
  readonly path: string | null
  /** Lines that come and go; left out where they mean nothing, as for an image. */
  readonly added?: number | undefined
  readonly removed?: number | undefined
  /** "new", "renamed from …", "deleted", "binary". */
  readonly note?: ReactNode
  /** Words that leave first when there is little room: "steps 3, 5". */
  readonly aside?: ReactNode
  /** Nothing of the path is shortened, and what cannot be seen in it is named: for what is to be signed. */
  readonly whole?: boolean | undefined
  readonly actions?: ReactNode
  /** Small quiet buttons that show on hover and focus, over the end of the row, without moving anything. */
  readonly hoverActions?: ReactNode
  /** Of its heading: one below that of what it stands under. 3 when left out. */
  readonly level?: 2 | 3 | undefined
  readonly id?: string | undefined
}

/** The head of a file's hunks, on the body column. Its path loses its middle where there is little room, never its end. */
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
