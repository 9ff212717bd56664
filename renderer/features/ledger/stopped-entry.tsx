import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import { useSession } from '../../state/desk-context.ts'
import { clockTime } from '../../ui/format.ts'
import { EntryRow } from '../../ui/ledger/entry-row.tsx'
import styles from './ledger.module.css'
import { stoppedAt } from './stopped-at.ts'

/** After the last line of a turn that the person stopped: that they did, so that an end without a word is no riddle. */
export function StoppedEntry({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const at = useSession<number | null>(sessionId, (session: SessionState) => stoppedAt(session), null)
  if (at === null) return null
  return (
    <EntryRow
      mark="note"
      at={at}
      line={<span className="soft">Stopped by you. Everything up to here stays; nothing more was done.</span>}
      effect={<span className={styles.whenNarrow}>{clockTime(at)}</span>}
    />
  )
}
