import type { ReactNode } from 'react'
import styles from './command-parts.module.css'
import { ExactText } from '../text/exact-text.tsx'

export interface CommandPart {
  /** The operator that joins this part to the part before: `&&`, `|`, `;`. */
  readonly operator?: string | undefined
  readonly text: string
  /** Why the part needs a signature: "deletes, always asks", "no rule yet". */
  readonly note?: ReactNode
}

/**
 * The complete command to be signed. If it has more than one part, the parts are numbered. Lines wrap, nothing is shortened, and invisible
 * characters are shown by name.
 */
export function CommandParts({ parts }: { readonly parts: readonly CommandPart[] }): ReactNode {
  return (
    <ol className={styles.parts} aria-label="The whole command">
      {parts.map((part, at) => (
        // The parts of a command never change, so their indexes can be keys.
        <li key={at} className={styles.part}>
          <span className={styles.number}>{parts.length > 1 && at + 1}</span>
          <code className={styles.code}>
            {part.operator !== undefined && <span className={styles.operator}>{part.operator} </span>}
            <ExactText text={part.text} />
          </code>
          {part.note !== undefined && <span className={styles.note}>{part.note}</span>}
        </li>
      ))}
    </ol>
  )
}
