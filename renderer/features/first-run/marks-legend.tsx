import type { ReactNode } from 'react'
import type { MarkKind } from '../../ui/marks/mark-kinds.ts'
import { Mark } from '../../ui/marks/mark.tsx'
import styles from './first-run.module.css'

const LEGEND: readonly { readonly mark: MarkKind; readonly word: string; readonly means: string }[] = [
  { mark: 'read', word: 'Read or searched', means: 'changes nothing, asks nothing' },
  { mark: 'pending', word: 'Proposed', means: 'the agent’s stroke; the place beside it is for yours' },
  { mark: 'signed', word: 'Signed by you', means: 'your stroke, in ink' },
  { mark: 'rule', word: 'Allowed', means: 'allowed without asking by the mode that you chose' },
  { mark: 'refused', word: 'Refused', means: 'you said no, so it was not done' },
]

/** How to read the ledger, before there is one. */
export function MarksLegend(): ReactNode {
  return (
    <section className={styles.legend}>
      <h2 className="label">How to read the marks</h2>
      <ul>
        {LEGEND.map(({ mark, word, means }) => (
          <li key={mark} className={styles.legendRow}>
            <Mark kind={mark} silent className={styles.legendMark} />
            <span>{word}</span>
            <span className="soft">{means}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
