import type { ReactNode } from 'react'
import type { WebSearchDetails } from '../../../../shared/tools/web-search.ts'
import { Well } from '../../../ui/text/well.tsx'
import styles from '../ledger.module.css'
import { foreign } from '../../../ui/text/exact-text.tsx'

/** What a web search found: titles, and the addresses as they are, so that nobody is led elsewhere by a name. */
export function WebHits({ hits }: { readonly hits: WebSearchDetails['hits'] }): ReactNode {
  return (
    <Well label="Pages">
      <ol className={styles.hits}>
        {hits.map(({ title, url }, at) => (
          // the order is the search engine's and fixed
          <li key={at}>
            <div>{foreign(title)}</div>
            <div className={`path ${styles.address}`}>{url}</div>
          </li>
        ))}
      </ol>
    </Well>
  )
}
