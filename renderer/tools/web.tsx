import { detailsOf } from '../../shared/tools/spec/tool-spec.ts'
import { webFetchSpec, webSearchSpec } from '../../shared/tools/built-in/web.ts'
import { byteSize, counted } from '../ui/format.ts'
import type { BodyProps, ToolView } from './view/tool-view.ts'
import type { ReactNode } from 'react'
import { foreign } from '../ui/text/exact-text.tsx'
import { Well } from '../ui/text/well.tsx'
import styles from './view/view.module.css'

export const webFetchView: ToolView = {
  spec: webFetchSpec,
  outcome(call) {
    const details = detailsOf(webFetchSpec, call)
    return details && `${details.status}, ${byteSize(details.bytes)}`
  },
  unfolds: 'the page',
}

export const webSearchView: ToolView = {
  spec: webSearchSpec,
  outcome(call) {
    const details = detailsOf(webSearchSpec, call)
    return details && counted(details.hits.length, 'page')
  },
  folding: (call) => ((detailsOf(webSearchSpec, call)?.hits.length ?? 0) > 0 ? 'closed' : 'none'),
  unfolds: 'the pages',
  Body: Pages,
}

/** Titles with their plain addresses, so that no title can hide the target of its link. */
function Pages({ call }: BodyProps): ReactNode {
  return (
    <Well label="Pages">
      <ol className={styles.hits}>
        {detailsOf(webSearchSpec, call)?.hits.map(({ title, url }, index) => (
          // The order comes from the search engine and does not change, so the index can be the key.
          <li key={index}>
            <div>{foreign(title)}</div>
            <div className={`path ${styles.address}`}>{url}</div>
          </li>
        ))}
      </ol>
    </Well>
  )
}
