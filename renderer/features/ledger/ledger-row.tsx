import { memo, type ReactNode } from 'react'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import { AgentEntry } from './entries/agent-entry.tsx'
import { isAgentCall } from './calls/agent-call.ts'
import { CallEntry } from './entries/call-entry.tsx'
import { NoticeEntry } from './entries/notice-entry.tsx'
import { ReadsEntry } from './entries/reads-entry.tsx'
import { type Row, sameRow } from './rows.ts'
import { UserEntry } from './entries/user-entry.tsx'

/** One line of the ledger. It is rendered anew only when its own entry has changed. */
export const LedgerRow = memo(
  function LedgerRow({ row }: { readonly row: Row }): ReactNode {
    if (row.kind === 'reads') return <ReadsEntry calls={row.items} />
    const { item } = row
    switch (item.kind) {
      case 'user':
        return <UserEntry item={item} />
      case 'prose':
        return null
      case 'call':
        return isAgentCall(item) ? <AgentEntry call={item} /> : <CallEntry call={item} />
      case 'notice':
        return <NoticeEntry notice={item} />
      default:
        return assertNever(item, 'entry')
    }
  },
  (before, after) => sameRow(before.row, after.row),
)
