import type { ReactNode } from 'react'
import styles from './quote.module.css'
import { foreign } from './exact-text.tsx'

/** The person's own words to the agent: a note of refusal, a condition. The ink line says whose they are. */
export function Quote({ children }: { readonly children: ReactNode }): ReactNode {
  return <blockquote className={styles.quote}>{foreign(children)}</blockquote>
}
