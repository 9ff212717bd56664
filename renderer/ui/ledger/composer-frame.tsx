import type { ReactNode } from 'react'
import type { MarkKind } from '../marks/mark-kinds.ts'
import { Mark } from '../marks/mark.tsx'
import styles from './composer-frame.module.css'

export interface ComposerFrameProps {
  /** The text field, without a border of its own. */
  readonly children: ReactNode
  /** Below it from the body column on: attach, mention, effort; `push` what belongs to the right. */
  readonly tools: ReactNode
  /** In the time column; "now". */
  readonly time?: string | undefined
  readonly mark?: MarkKind | undefined
}

/** The next line of the ledger, still being written. Its top line turns ink while the caret is in it. */
export function ComposerFrame({ children, tools, time = 'now', mark = 'you' }: ComposerFrameProps): ReactNode {
  return (
    <section className={styles.composer} aria-label="Composer" data-composer="">
      <div className={styles.line}>
        <span className={styles.time} aria-hidden="true">
          {time}
        </span>
        <span />
        <Mark kind={mark} silent className={styles.mark} />
        <div className={styles.text}>{children}</div>
      </div>
      <div className={styles.tools}>{tools}</div>
    </section>
  )
}
