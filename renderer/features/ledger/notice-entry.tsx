import { memo, type ReactNode } from 'react'
import type { NoticeItem } from '../../../shared/session/state.ts'
import { clockTime } from '../../ui/format.ts'
import { EntryRow } from '../../ui/ledger/entry-row.tsx'
import { Facts } from '../../ui/notices/facts.tsx'
import styles from './ledger.module.css'

/** An error or a limit that lies behind us: three lines, kept where they happened. The newest one is in the tray. */
export const NoticeEntry = memo(function NoticeEntry({ notice }: { readonly notice: NoticeItem }): ReactNode {
  const { what, kept, todo } = notice.trouble
  return (
    <EntryRow
      mark={notice.level === 'error' ? 'failed' : 'note'}
      at={notice.at}
      line={<span className={`strong ${styles.happened}`}>{what}</span>}
      effect={<span className={styles.whenNarrow}>{clockTime(notice.at)}</span>}
    >
      <Facts
        facts={[
          { term: 'What was kept', fact: kept },
          { term: 'What to do', fact: todo },
        ]}
      />
    </EntryRow>
  )
})
