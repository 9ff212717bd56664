import { memo, type ReactNode } from 'react'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import { EntryRow } from '../../ui/ledger/entry-row.tsx'
import { CallEntry } from './call-entry.tsx'
import styles from './ledger.module.css'
import { NoticeEntry } from './notice-entry.tsx'
import { ReadsEntry } from './reads-entry.tsx'
import { type Row, sameRow } from './rows.ts'

/** One line of the ledger. It is rendered anew only when its own entry has changed. */
export const LedgerRow = memo(
  function LedgerRow({ row }: { readonly row: Row }): ReactNode {
    if (row.kind === 'reads') return <ReadsEntry calls={row.items} />
    const { item } = row
    switch (item.kind) {
      case 'user':
        return <EntryRow shape="turn" mark="you" at={item.at} line={<p>{item.text}</p>} className={styles.turn} />
      case 'prose':
        return null
      case 'call':
        return <CallEntry call={item} />
      case 'notice':
        return <NoticeEntry notice={item} />
      default:
        return assertNever(item, 'entry')
    }
  },
  (before, after) => sameRow(before.row, after.row),
)
