import { type CSSProperties, memo, type ReactNode, useMemo } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { isInCopy } from '../../../shared/session/fold/run-state.ts'
import type { Item } from '../../../shared/session/state.ts'
import { useSession, useView } from '../../state/desk-context.ts'
import { earlyEndOf } from '../../state/views/early-end.ts'
import { ProseEntry } from './entries/prose-entry.tsx'
import { type Row, rowsOf, sameRow, sameChunk, type Chunk, chunksOf } from './row-chunks.ts'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import { SubagentEntry } from './entries/subagent-entry.tsx'
import { isSubagentCall } from '../../../shared/tools/built-in/subagents.ts'
import { CallEntry } from './entries/call-entry.tsx'
import { NoticeEntry } from './entries/notice-entry.tsx'
import { ReadsEntry } from './entries/reads-entry.tsx'
import { isInConversation, type DoneMove } from '../../../shared/session/conversation-move.ts'
import { OutOfConversation } from '../../ui/ledger/entry-row.tsx'
import { seqOf } from './entries/message-menu.tsx'
import { ConversationMoveEntry } from './entries/conversation-move-entry.tsx'
import { RollbackEntry } from './entries/rollback-entry.tsx'
import styles from './ledger.module.css'
import { UserEntry } from './entries/user-entry.tsx'

export interface RowsProps {
  readonly sessionId: SessionId
  readonly items: readonly Item[]
  readonly firstItem: number
}

/**
 * The entries, followed by the answer that is being written. Requests that wait for an answer and the newest error are left out, because
 * the tray shows them. A request for a command that is still running in its copy is shown. Rows are compared in chunks, so that a change is
 * cheap even in a long ledger.
 */
export const Rows = memo(function Rows({ sessionId, items, firstItem }: RowsProps): ReactNode {
  const dismissed = useView((view) => view.dismissed)
  const inTray = useSession<Item | null>(sessionId, (session) => earlyEndOf(session, dismissed)?.notice ?? null, null)
  const moves = useSession(sessionId, (session) => session.moves, NO_MOVES)
  const chunks = useMemo(() => {
    const rows = rowsOf(
      items,
      firstItem,
      (item) => item === inTray || (item.kind === 'call' && item.status === 'waiting' && !isInCopy(item)),
      (item) => !isInConversation(seqOf(item), moves),
    )
    return chunksOf(rows, firstItem + items.length)
  }, [items, firstItem, inTray, moves])
  return chunks.map((chunk) => <ChunkRows key={chunk.key} sessionId={sessionId} chunk={chunk} />)
})

const NO_MOVES: readonly DoneMove[] = []

/** Estimated height of a row in pixels. */
const ROW_HEIGHT = 36

/** The height of a chunk until it is rendered for the first time. Afterwards the browser uses its real height. */
const estimated = ({ rows }: Chunk): CSSProperties => ({ containIntrinsicHeight: `auto ${rows.length * ROW_HEIGHT}px` })

const hasEnded = (row: Row): boolean => row.kind === 'reads' || row.item.kind !== 'call' || row.item.endedAt !== null

/** While the rows are far from the window and none of them can change, the browser skips style, layout and painting for the chunk. */
const ChunkRows = memo(
  function ChunkRows({ sessionId, chunk }: { readonly sessionId: SessionId; readonly chunk: Chunk }): ReactNode {
    const isSettled = chunk.writing === null && chunk.rows.every(hasEnded)
    const rows = chunk.rows.map((row) => (
      <OutOfConversation key={row.key} value={row.isOutside}>
        {row.kind === 'item' && row.item.kind === 'prose' ? <ProseEntry sessionId={sessionId} item={row.item} /> : <LedgerRow row={row} />}
      </OutOfConversation>
    ))
    // The answer is in the same list as the rows, so that its elements are kept when it is finished.
    if (chunk.writing !== null)
      rows.push(
        <OutOfConversation key={chunk.writing} value={false}>
          <ProseEntry sessionId={sessionId} item={null} />
        </OutOfConversation>,
      )
    return (
      <div className={isSettled ? styles.settled : undefined} style={isSettled ? estimated(chunk) : undefined}>
        {rows}
      </div>
    )
  },
  (before, after) => before.sessionId === after.sessionId && sameChunk(before.chunk, after.chunk),
)

/** One line of the ledger, rendered again only when its own entry has changed. */
const LedgerRow = memo(
  function LedgerRow({ row }: { readonly row: Row }): ReactNode {
    if (row.kind === 'reads') return <ReadsEntry calls={row.items} />
    const { item } = row
    switch (item.kind) {
      case 'user':
        return <UserEntry item={item} />
      case 'prose':
        return null
      case 'call':
        return isSubagentCall(item) ? <SubagentEntry call={item} /> : <CallEntry call={item} />
      case 'notice':
        return <NoticeEntry notice={item} />
      case 'rollback':
        return <RollbackEntry rollback={item} />
      case 'move':
        return <ConversationMoveEntry move={item} />
      default:
        return assertNever(item, 'entry')
    }
  },
  (before, after) => sameRow(before.row, after.row),
)
