/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex -- a region whose keys act on its content, with a body that keys must be able to scroll */
import { type FocusEventHandler, type KeyboardEventHandler, type MouseEvent, type ReactNode, type Ref, useId } from 'react'
import { classNames } from '../class-names.ts'
import ring from '../frame/focus-ring.module.css'
import { type MarkKind, Mark } from '../marks/mark.tsx'
import { Kbd } from '../marks/kbd.tsx'
import { useKeyHint } from '../marks/key-labels.ts'
import styles from './tray-frame.module.css'
import { foreign } from '../text/exact-text.tsx'

export interface TrayFrameProps {
  /** `needs` is amber. `error` is red and for failures. `answered` is neutral and for what no longer needs attention. */
  readonly tone?: 'needs' | 'error' | 'answered' | undefined
  readonly number?: number | undefined
  readonly mark: MarkKind
  /** The request, as a verb with its object: "Edit 3 hunks in 2 files". */
  readonly title: ReactNode
  /** The reason, and the position among the requests: "for plan step 2", "1 of 3". */
  readonly aside?: ReactNode
  /** Content at the right of the heading: waiting time, a small button. */
  readonly headEnd?: ReactNode
  /** The key that moves the focus here, shown as "Ctrl J to answer" until the tray has the focus. */
  readonly answerKeys?: string | undefined
  readonly foot?: ReactNode
  readonly children?: ReactNode
  /** True during the closing animation (120 ms). */
  readonly leaving?: boolean | undefined
  /** Whether the content is a document that fills the pane, as a plan does. */
  readonly full?: boolean | undefined
  readonly onKeyDown?: KeyboardEventHandler | undefined
  readonly onKeyUp?: KeyboardEventHandler | undefined
  readonly onFocus?: FocusEventHandler<HTMLElement> | undefined
  readonly onBlur?: FocusEventHandler<HTMLElement> | undefined
  /** The element that scrolls. */
  readonly bodyRef?: Ref<HTMLDivElement> | undefined
  readonly ref?: Ref<HTMLElement> | undefined
}

/**
 * Keeps the focus in the composer when a button of the tray is pressed. If the tray got the focus, its key hints would appear and move the
 * button.
 */
function keepFocus(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('button') !== null) event.preventDefault()
}

/**
 * The tray at the bottom of the ledger, for what needs the user. Its body scrolls. Key hints are shown only while the tray has the focus.
 */
export function TrayFrame({ ref, bodyRef, ...props }: TrayFrameProps): ReactNode {
  const { tone = 'needs' } = props
  const titleId = useId()
  const hint = useKeyHint()
  const hasAnswerKeys = props.answerKeys !== undefined && hint(props.answerKeys) !== ''
  return (
    <section
      ref={ref}
      className={classNames(styles.tray, styles[tone], props.full === true && styles.full, props.leaving === true && styles.leaving)}
      aria-labelledby={titleId}
      tabIndex={-1}
      data-tray={tone}
      onMouseDown={keepFocus}
      onKeyDown={props.onKeyDown}
      onKeyUp={props.onKeyUp}
      onFocus={props.onFocus}
      onBlur={props.onBlur}
    >
      <header className={styles.head}>
        <span className="number">{props.number}</span>
        <Mark kind={props.mark} />
        <div className={styles.words}>
          <h2 className={styles.title} id={titleId}>
            {foreign(props.title)} {props.aside !== undefined && <span className={styles.aside}>{props.aside}</span>}
          </h2>
          <div className={styles.end}>
            {props.headEnd}
            {hasAnswerKeys && (
              <span className={styles.answer}>
                <Kbd keys={props.answerKeys ?? ''} /> to answer
              </span>
            )}
          </div>
        </div>
      </header>
      {props.children !== undefined && (
        <div className={classNames(ring.around, styles.room)}>
          <div ref={bodyRef} className={styles.body} tabIndex={0} role="group" aria-labelledby={titleId}>
            {props.children}
          </div>
        </div>
      )}
      {props.foot !== undefined && <footer className={styles.foot}>{props.foot}</footer>}
    </section>
  )
}
