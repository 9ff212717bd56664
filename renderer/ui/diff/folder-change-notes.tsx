import type { ReactNode } from 'react'
import { foreign } from '../text/exact-text.tsx'
import styles from './folder-change-notes.module.css'

/** What happened to folders without changed files, one sentence a line. Nothing when there are none. */
export function ChangedFolders({ sentences }: { readonly sentences: readonly string[] }): ReactNode {
  if (sentences.length === 0) return null
  return (
    <section className={styles.left} aria-label="Changed folders">
      {sentences.map((sentence) => (
        <p key={sentence}>{foreign(sentence)}</p>
      ))}
    </section>
  )
}

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
