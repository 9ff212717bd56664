import type { ReactNode } from 'react'
import styles from './command-parts.module.css'
import { ExactText } from '../text/exact-text.tsx'

export interface CommandPart {
  /** What joins it to the part before: `&&`, `|`, `;`. */
  readonly operator?: string | undefined
  readonly text: string
  /** Why it needs a signature: "deletes, always asks", "no rule yet". */
  readonly note?: ReactNode
}

/** The whole command to be signed: parts are numbered if there are several, lines wrap, nothing is shortened, invisible characters are named. */
export function CommandParts({ parts }: { readonly parts: readonly CommandPart[] }): ReactNode {
  return (
    <ol className={styles.parts} aria-label="The whole command">
      {parts.map((part, at) => (
        // The parts of a command do not change.
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
