import type { ReactNode } from 'react'
import { added, removed } from '../format.ts'
import styles from './file-row.module.css'

export interface FileRowProps {
  readonly path: string
  /** Lines that come and go; left out where they mean nothing, as for an image. */
  readonly added?: number | undefined
  readonly removed?: number | undefined
  /** "new", "renamed from …", "deleted", "binary". */
  readonly note?: ReactNode
  readonly actions?: ReactNode
  readonly id?: string | undefined
}

/** The head of a file's hunks, on the body column. The directory shortens from its end, the file's name never. */
export function FileRow(props: FileRowProps): ReactNode {
  const cut = props.path.lastIndexOf('/') + 1
  return (
    <div className={styles.row} id={props.id}>
      <h3 className={styles.path} data-tip={props.path}>
        {cut > 0 && <span className={styles.folder}>{props.path.slice(0, cut)}</span>}
        <span className={styles.name}>{props.path.slice(cut)}</span>
      </h3>
      {props.note !== undefined && <span className={styles.note}>{props.note}</span>}
      <span className={styles.end}>
        {props.actions}
        {props.added !== undefined && <span className="add">{added(props.added)}</span>}
        {props.removed !== undefined && <span className="del">{removed(props.removed)}</span>}
      </span>
    </div>
  )
}
