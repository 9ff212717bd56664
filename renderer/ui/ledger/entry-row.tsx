import { createContext, type ReactNode, useContext, useState } from 'react'
import { classNames } from '../class-names.ts'
import { type PointerPlace, useContextMenu } from '../controls/pointer-menu.tsx'
import { clockTime } from '../format.ts'
import { type MarkKind, Mark } from '../marks/mark.tsx'
import { VisuallyHidden } from '../notices/screen-reader.tsx'
import styles from './entry-row.module.css'

/** Whether the entries inside are no longer part of the conversation. */
export const OutOfConversation = createContext(false)

/** Whether the entries inside are part of a replay. They then have no actions. */
export const RecordedEntries = createContext(false)

export interface EntryRowProps {
  /**
   * `step` is one action on one line. `turn` is the user's message, which is the heading of its turn. `steered` is a message within a
   * turn. `prose` is the agent's text.
   */
  readonly shape?: 'step' | 'turn' | 'steered' | 'prose' | undefined
  readonly mark: MarkKind
  readonly markWord?: string | undefined
  /** Whether the user's stroke of the mark is animated once, for a step that was just signed or undone. */
  readonly drawn?: boolean | undefined
  /** Time in ms since 1970. Left out if the line above shows the same time. */
  readonly at?: number | undefined
  /** Text in place of a time: "now". */
  readonly atWord?: string | undefined
  /** The step number. */
  readonly number?: number | undefined
  /** The words of the line, in elements with the classes `verb`, `path` and `dim`. Not for `prose`. */
  readonly line?: ReactNode
  /** The outcome at the right: counts, exit code, duration. */
  readonly effect?: ReactNode
  /** A small button that unfolds the row, at the left of the effect. The actions never cover it. */
  readonly fold?: ReactNode
  /** Small quiet buttons at the left of the fold button and the effect, shown on hover and focus without moving anything. */
  readonly actions?: ReactNode
  /**
   * Renders `actions` only after the pointer or the focus has entered the row, so that thousands of rows need no buttons. Use this only if
   * the row has another focusable element, or if the actions are also available elsewhere. Otherwise the keyboard could not reach the
   * actions.
   */
  readonly lazyActions?: boolean | undefined
  /** Renders the menu for the secondary pointer button and the menu key. */
  readonly renderMenu?: ((place: PointerPlace) => ReactNode) | undefined
  /** Content below the line, in the body column: wells, quotes, files. For `prose`, this is the text itself. */
  readonly children?: ReactNode
  readonly id?: string | undefined
}

/** One line of the ledger on the axis: time, number, mark, body, effect. */
export function EntryRow(props: EntryRowProps): ReactNode {
  const { shape = 'step', mark, drawn = false } = props
  const isOutside = useContext(OutOfConversation)
  const [wasEntered, setEntered] = useState(false)
  const isRecord = useContext(RecordedEntries)
  const menu = useContextMenu(isRecord ? undefined : props.renderMenu)
  const isLazy = props.lazyActions === true && !wasEntered
  const actions = isLazy || isRecord ? undefined : props.actions
  const hasActions = actions !== undefined && actions !== false
  const hasFold = props.fold !== undefined && props.fold !== false
  const onEnter = isLazy ? () => setEntered(true) : undefined
  const struck = mark === 'undone'
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only notices that the row is entered
    <li
      // The role is explicit, because there may be a box between the entry and its list.
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles
      role="listitem"
      id={props.id}
      className={classNames(
        styles.entry,
        styles[shape],
        struck && styles.struck,
        isOutside && styles.outside,
        drawn && styles.drawn,
        mark === 'refused' && styles.refused,
        mark === 'blocked' && styles.refused,
      )}
      data-step={props.number}
      // React sends no enter event if the pointer rested on a row that this one has replaced.
      onPointerOver={onEnter}
      onFocus={onEnter}
      onContextMenu={menu.onContextMenu}
    >
      <EntryTime at={props.at} word={props.atWord} />
      <span className={styles.no}>{props.number}</span>
      <Mark
        kind={mark}
        word={props.markWord}
        drawn={drawn}
        silent={mark === 'note'}
        className={classNames(styles.mark, mark !== 'read' && mark !== 'note' && styles.over)}
      />
      <div className={styles.body}>
        {isOutside && <VisuallyHidden>No longer part of the conversation. </VisuallyHidden>}
        {props.line !== undefined && (
          <div className={styles.line}>
            {props.line}
            {(props.effect !== undefined || hasFold || hasActions) && (
              <span className={styles.right}>
                {hasFold && props.fold}
                {hasActions && <span className={styles.actions}>{actions}</span>}
                {props.effect !== undefined && <span className={classNames('effect', styles.effect)}>{props.effect}</span>}
              </span>
            )}
          </div>
        )}
        {props.line === undefined && hasActions && <span className={classNames(styles.actions, styles.corner)}>{actions}</span>}
        {props.children}
        {menu.node}
      </div>
    </li>
  )
}

function EntryTime({ at, word }: { readonly at: number | undefined; readonly word: string | undefined }): ReactNode {
  if (at === undefined) return <span className={styles.time}>{word}</span>
  return (
    <time className={styles.time} dateTime={new Date(at).toISOString()}>
      {clockTime(at)}
    </time>
  )
}
