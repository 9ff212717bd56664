import type { ReactNode } from 'react'
import { Mark } from '../marks/mark.tsx'
import styles from './composer-frame.module.css'

export interface ComposerFrameProps {
  /** The text field, without its own border. */
  readonly children: ReactNode
  /** The row of controls below the field. */
  readonly tools: ReactNode
  /** Accessible name. Default: "Composer". */
  readonly label?: string | undefined
}

/** The frame of the message field. Its top border has the ink color while the field has the focus. */
export function ComposerFrame({ children, tools, label = 'Composer' }: ComposerFrameProps): ReactNode {
  return (
    <section className={styles.composer} aria-label={label} data-composer="">
      <div className={styles.line}>
        <span className={styles.time} aria-hidden="true">
          now
        </span>
        <span />
        <Mark kind="you" silent className={styles.mark} />
        <div className={styles.text}>{children}</div>
      </div>
      <div className={styles.tools}>{tools}</div>
    </section>
  )
}
