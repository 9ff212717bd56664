import type { ReactNode } from 'react'
import { Facts } from './facts.tsx'
import styles from './error-notice.module.css'

export interface ErrorNoticeProps {
  /** What happened, in one sentence. */
  readonly happened: ReactNode
  readonly kept: ReactNode
  readonly todo: ReactNode
  readonly actions?: ReactNode
  /** Whether the notice has its own frame. Not needed in a tray or a row. */
  readonly framed?: boolean | undefined
}

/** An error in three lines: what happened, what was kept, what to do. */
export function ErrorNotice({ happened, kept, todo, actions, framed = false }: ErrorNoticeProps): ReactNode {
  return (
    <div className={framed ? styles.framed : styles.notice}>
      <Facts
        facts={[
          { term: 'What happened', fact: happened },
          { term: 'What was kept', fact: kept },
          { term: 'What to do', fact: todo },
        ]}
      />
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
