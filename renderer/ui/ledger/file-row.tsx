import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { type PointerPlace, useContextMenu } from '../controls/pointer-menu.tsx'
import { added, removed } from '../format.ts'
import { ExactPath } from '../text/exact-text.tsx'
import styles from './file-row.module.css'
import { MiddlePath } from '../text/middle-path.tsx'

export interface FileRowProps {
  /** Null if the heading above already shows the path. */
  readonly path: string | null
  /** Added and removed lines. Left out if they have no meaning, for example for an image. */
  readonly added?: number | undefined
  readonly removed?: number | undefined
  /** A note: "new", "renamed from …", "deleted", "binary". */
  readonly note?: ReactNode
  /** Text that is hidden first when there is little room: "steps 3, 5". */
  readonly aside?: ReactNode
  /** Whether the complete path is shown, with names for invisible characters. Used in requests. */
  readonly whole?: boolean | undefined
  readonly actions?: ReactNode
  /** Small quiet buttons to the left of `actions` and the line counts, shown on hover and focus without moving anything. */
  readonly hoverActions?: ReactNode
  /** Level of the file's heading, one below the heading above it. 3 if left out. */
  readonly level?: 2 | 3 | undefined
  /** Renders the menu for the secondary pointer button and the menu key. */
  readonly renderMenu?: ((place: PointerPlace) => ReactNode) | undefined
}

/** The heading above a file's hunks. A path that is too long is shortened in the middle. */
export function FileRow(props: FileRowProps): ReactNode {
  const { path, whole = false, level = 3 } = props
  const Heading = `h${level}` as const
  const menu = useContextMenu(props.renderMenu)
  return (
    <div className={classNames(styles.row, whole && styles.whole)} onContextMenu={menu.onContextMenu}>
      {menu.node}
      {path !== null && <Heading className={styles.path}>{whole ? <ExactPath path={path} /> : <MiddlePath path={path} />}</Heading>}
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
