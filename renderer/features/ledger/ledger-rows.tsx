import { memo, type ReactNode, useMemo } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Item } from '../../../shared/session/state.ts'
import { useSession, useView } from '../../state/desk-context.ts'
import { earlyEndOf } from '../../state/early-end.ts'
import { LedgerRow } from './ledger-row.tsx'
import { ProseRow } from './prose-row.tsx'
import { proseKey, rowsOf } from './rows.ts'

export interface RowsProps {
  readonly sessionId: SessionId
  readonly items: readonly Item[]
  readonly firstItem: number
}

/**
 * The entries, and after them the place of the answer that is being written. What the tray shows, requests that wait and the newest trouble,
 * is not written yet.
 */
export const Rows = memo(function Rows({ sessionId, items, firstItem }: RowsProps): ReactNode {
  const settled = useView((view) => view.settled)
  const inTray = useSession<Item | null>(sessionId, (session) => earlyEndOf(session, settled)?.notice ?? null, null)
  const rows = useMemo(
    () => rowsOf(items, firstItem, (item) => item === inTray || (item.kind === 'call' && item.status === 'waiting')),
    [items, firstItem, inTray],
  )
  return [
    ...rows.map((row) =>
      row.kind === 'item' && row.item.kind === 'prose' ? (
        <ProseRow key={row.key} sessionId={sessionId} item={row.item} />
      ) : (
        <LedgerRow key={row.key} row={row} />
      ),
    ),
    <ProseRow key={proseKey(firstItem + items.length)} sessionId={sessionId} item={null} />,
  ]
})
