import type { ReactNode } from 'react'
import { foreign } from '../text/exact-text.tsx'
import styles from './left-out.module.css'

/** What the comparisons of the folder after commands left out, one sentence a line. Nothing when they were complete. */
export function LeftOut({ sentences }: { readonly sentences: readonly string[] }): ReactNode {
  if (sentences.length === 0) return null
  return (
    <section className={styles.left} aria-label="Not compared">
      {sentences.map((sentence) => (
        <p key={sentence}>{foreign(sentence)}</p>
      ))}
      <p>Files that git ignores are never compared.</p>
    </section>
  )
}
