import { type KeyboardEventHandler, type MouseEvent, type ReactNode, type Ref, useState } from 'react'
import { classNames } from '../class-names.ts'
import { type PointerPlace, useContextMenu } from '../controls/pointer-menu.tsx'
import styles from './list-row.module.css'
import { foreign } from '../text/exact-text.tsx'

export interface ListRowProps {
  /** Content of the first 8 px: a `Dot`, or nothing. */
  readonly lead?: ReactNode
  readonly title: ReactNode
  /** A second line in the small style. */
  readonly below?: ReactNode
  /** Content at the right: a count, an age. */
  readonly end?: ReactNode
  /** Small buttons that replace `end` on hover and focus without moving anything. */
  readonly actions?: ReactNode
  /** Renders `actions` only after the pointer has entered the row. Use it only for actions that the keyboard can also reach elsewhere. */
  readonly lazyActions?: boolean | undefined
  readonly selected?: boolean | undefined
  /** Whether the row is bold, because it has changed since it was last seen. */
  readonly unread?: boolean | undefined
  readonly tip?: string | undefined
  readonly tabIndex?: number | undefined
  readonly onPress: (event: MouseEvent) => void
  readonly onDoublePress?: (() => void) | undefined
  /** Renders the menu for the secondary pointer button and the menu key. */
  readonly renderMenu?: ((place: PointerPlace) => ReactNode) | undefined
  readonly onKeyDown?: KeyboardEventHandler | undefined
  readonly ref?: Ref<HTMLButtonElement> | undefined
}

/** A selectable row of a list: a session, a file, a hit. */
export function ListRow({ ref, ...props }: ListRowProps): ReactNode {
  const { selected = false, unread = false } = props
  const [wasEntered, setEntered] = useState(false)
  const menu = useContextMenu(props.renderMenu)
  const hasActions = props.actions !== undefined && (wasEntered || props.lazyActions !== true)
  return (
    <div
      className={classNames(styles.row, selected && styles.selected, props.below !== undefined && styles.two)}
      // Not `onPointerEnter`, for the reason given in `EntryRow`.
      onPointerOver={wasEntered ? undefined : () => setEntered(true)}
    >
      {menu.node}
      <button
        ref={ref}
        type="button"
        className={styles.press}
        aria-current={selected || undefined}
        tabIndex={props.tabIndex}
        data-tip={props.tip}
        onClick={props.onPress}
        onDoubleClick={props.onDoublePress}
        onContextMenu={menu.onContextMenu}
        onKeyDown={props.onKeyDown}
      >
        <span className={styles.lead}>{props.lead}</span>
        <span className={classNames('clip', unread && 'strong')}>{foreign(props.title)}</span>
        {props.end !== undefined && <span className={styles.end}>{props.end}</span>}
        {props.below !== undefined && <span className={styles.below}>{foreign(props.below)}</span>}
      </button>
      {hasActions && <span className={styles.actions}>{props.actions}</span>}
    </div>
  )
}
