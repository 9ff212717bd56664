import type { ReactNode } from 'react'
import styles from './command-parts.module.css'
import { ExactText } from '../text/exact-text.tsx'

export interface CommandPart {
  /** What joins it to the part before: `&&`, `|`, `;`. */
  readonly operator?: string | undefined
  readonly text: string
  /** Why it asks: "deletes, always asks", "no rule yet". */
  readonly note?: ReactNode
}

/** The whole command that is to be signed: numbered by part where it has more than one, wrapped, never shortened, its invisible characters named. */
export function CommandParts({ parts }: { readonly parts: readonly CommandPart[] }): ReactNode {
  return (
    <ol className={styles.parts} aria-label="The whole command">
      {parts.map((part, at) => (
        // the parts of one command are fixed and in order
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
