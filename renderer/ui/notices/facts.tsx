import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './facts.module.css'
import { foreign } from '../text/exact-text.tsx'

export interface Fact {
  readonly term: string
  readonly fact: ReactNode
}

export interface FactsProps {
  readonly facts: readonly Fact[]
  /** `tray` is for facts in the body column of a tray, with extra space. */
  readonly place?: 'plain' | 'tray' | undefined
}

/** Terms and their facts: where a command runs, what it may touch, what happened. */
export function Facts({ facts, place = 'plain' }: FactsProps): ReactNode {
  return (
    <dl className={classNames(styles.facts, place === 'tray' && styles.tray)}>
      {facts.map(({ term, fact }, at) => (
        // Several facts may have the same term.
        <div key={`${term} ${at}`} className={styles.row}>
          <dt>{term}</dt>
          <dd>{foreign(fact)}</dd>
        </div>
      ))}
    </dl>
  )
}
