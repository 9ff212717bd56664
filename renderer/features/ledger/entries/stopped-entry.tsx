import type { ReactNode } from 'react'
import { useSession } from '../../../state/desk-context.ts'
import { clockTime } from '../../../ui/format.ts'
import { EntryRow } from '../../../ui/ledger/entry-row.tsx'
import { useLedgerSession } from '../ledger-session.ts'
import styles from '../ledger.module.css'

/** Where the person stopped a turn, ms since 1970: an end without a word would be a riddle. A subagent may have been stopped by its parent. */
export function StoppedEntry({ at }: { readonly at: number }): ReactNode {
  const isPersons = useSession(useLedgerSession(), (session) => session.parent === null, true)
  return (
    <EntryRow
      mark="note"
      at={at}
      line={<span className="soft">{isPersons ? 'Stopped by you' : 'Stopped'}. Everything up to here is kept; nothing more was done.</span>}
      effect={<span className={styles.whenNarrow}>{clockTime(at)}</span>}
    />
  )
}
