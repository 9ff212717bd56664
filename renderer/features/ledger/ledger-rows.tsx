import { memo, type ReactNode, useMemo } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Item } from '../../../shared/session/state.ts'
import { useSession, useView } from '../../state/desk-context.ts'
import { earlyEndOf } from '../../state/views/early-end.ts'
import { LedgerRow } from './ledger-row.tsx'
import { ProseRow } from './entries/prose-row.tsx'
import { rowsOf, sameSheet, type Sheet, sheetsOf } from './rows.ts'

export interface RowsProps {
  readonly sessionId: SessionId
  readonly items: readonly Item[]
  readonly firstItem: number
}

/**
 * The entries, and after them the place of the answer that is being written. What the tray shows, requests that wait and the newest trouble,
 * is not written yet. What changes costs a look at its own sheet of rows, however many there are.
 */
export const Rows = memo(function Rows({ sessionId, items, firstItem }: RowsProps): ReactNode {
  const settled = useView((view) => view.settled)
  const inTray = useSession<Item | null>(sessionId, (session) => earlyEndOf(session, settled)?.notice ?? null, null)
  const sheets = useMemo(() => {
    const rows = rowsOf(items, firstItem, (item) => item === inTray || (item.kind === 'call' && item.status === 'waiting'))
    return sheetsOf(rows, firstItem + items.length)
  }, [items, firstItem, inTray])
  return sheets.map((sheet) => <SheetRows key={sheet.key} sessionId={sessionId} sheet={sheet} />)
})

const SheetRows = memo(
  function SheetRows({ sessionId, sheet }: { readonly sessionId: SessionId; readonly sheet: Sheet }): ReactNode {
    return [
      ...sheet.rows.map((row) =>
        row.kind === 'item' && row.item.kind === 'prose' ? (
          <ProseRow key={row.key} sessionId={sessionId} item={row.item} />
        ) : (
          <LedgerRow key={row.key} row={row} />
        ),
      ),
      sheet.writing === null ? null : <ProseRow key={sheet.writing} sessionId={sessionId} item={null} />,
    ]
  },
  (before, after) => before.sessionId === after.sessionId && sameSheet(before.sheet, after.sheet),
)
