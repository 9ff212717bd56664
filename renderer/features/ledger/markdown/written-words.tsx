import type { ReactNode } from 'react'
import styles from '../ledger.module.css'
import { Markdown } from './markdown.tsx'

/** A model's text as it stands in the ledger, for another place that shows one: a plan that is to be signed. */
export function WrittenWords({ text }: { readonly text: string }): ReactNode {
  return (
    <div className={styles.words}>
      <Markdown text={text} />
    </div>
  )
}
