import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './mark.module.css'

/**
 * The kinds of marks on the spine. `note` and `read` are ticks, and `failed` is a cross. All others consist of strokes by the agent, the
 * user, or both.
 */
export type MarkKind = 'read' | 'proposed' | 'pending' | 'signed' | 'rule' | 'refused' | 'blocked' | 'undone' | 'failed' | 'you' | 'note'

/** A stroke of a mark: the agent's stroke, the user's stroke, a dotted place for the user's stroke, a tick, or a cross. */
type Stroke = 'agent' | 'yours' | 'waiting' | 'tick' | 'cross'

interface MarkShape {
  /** The accessible name and tooltip, so that no meaning depends on color. */
  readonly word: string
  /**
   * Strokes in drawing order, on a 16 × 16 grid. The user's slanted strokes run from bottom to top, because they are drawn in this
   * direction.
   */
  readonly strokes: readonly { readonly by: Stroke; readonly d: string }[]
}

const first = { by: 'agent', d: 'M3.1 12.9 6.8 3.1' } as const

const upright = { by: 'agent', d: 'M6.1 12.8 9.8 3.2' } as const

export const markShapes: Readonly<Record<MarkKind, MarkShape>> = {
  read: { word: 'Read', strokes: [{ by: 'tick', d: 'M5 8h6' }] },
  note: { word: 'Note', strokes: [{ by: 'tick', d: 'M6.5 8h3' }] },
  proposed: { word: 'Proposed, not signed', strokes: [first] },
  pending: { word: 'Needs you', strokes: [first, { by: 'waiting', d: 'M7.9 14.4 13 1.4' }] },
  signed: { word: 'Signed', strokes: [first, { by: 'yours', d: 'M7.9 14.4 13 1.4' }] },
  rule: { word: 'Allowed by a rule', strokes: [first, { by: 'yours', d: 'M8.3 13.4 10.5 7.8' }] },
  refused: { word: 'Refused', strokes: [upright, { by: 'yours', d: 'M2.6 8h10.8' }] },
  blocked: { word: 'Blocked by policy', strokes: [upright, { by: 'agent', d: 'M2.6 8h10.8' }] },
  undone: { word: 'Undone', strokes: [first, { by: 'agent', d: 'M8.6 12.9 12.3 3.1' }, { by: 'yours', d: 'M1 8h14' }] },
  failed: { word: 'Failed', strokes: [{ by: 'cross', d: 'M4.6 4.6l6.8 6.8M11.4 4.6l-6.8 6.8' }] },
  you: { word: 'You', strokes: [{ by: 'yours', d: 'M5.5 14.4 10.6 1.4' }] },
}

export interface MarkProps {
  readonly kind: MarkKind
  /** Text in place of the kind's default word, such as "Signed 14:05:02". */
  readonly word?: string | undefined
  /** Whether the mark is hidden from screen readers, because words beside it say the same, as on a button. */
  readonly silent?: boolean | undefined
  /** Whether the user's stroke is drawn once, from bottom to top (180 ms). */
  readonly drawn?: boolean | undefined
  readonly className?: string | undefined
}

/** The state of a step as strokes: the agent's stroke, and the user's stroke beside it. Readable without color. */
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
