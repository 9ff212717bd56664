import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { type MarkKind, markShapes } from './mark-kinds.ts'
import styles from './mark.module.css'

export interface MarkProps {
  readonly kind: MarkKind
  /** Replaces the word of the kind, such as "Signed 14:05:02". */
  readonly word?: string | undefined
  /** True beside words that already say it, as on a button: then it is silent. */
  readonly silent?: boolean | undefined
  /** Draws the person's stroke once, from bottom to top (180 ms). */
  readonly drawn?: boolean | undefined
  readonly className?: string | undefined
}

/** The state of a step as strokes: the agent's, and beside it the person's. Readable without color. */
export function Mark({ kind, word, silent = false, drawn = false, className }: MarkProps): ReactNode {
  const shape = markShapes[kind]
  const label = word ?? shape.word
  const spoken = silent ? ({ 'aria-hidden': true } as const) : { role: 'img', 'aria-label': label, 'data-tip': label }
  return (
    <span className={classNames(styles.mark, className)} data-mark={kind} {...spoken}>
      <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        {shape.strokes.map(({ by, d }) => (
          <path
            key={d}
            d={d}
            className={classNames(styles[by], drawn && by === 'yours' && styles.drawn)}
            pathLength={by === 'yours' ? 1 : undefined}
          />
        ))}
      </svg>
    </span>
  )
}
