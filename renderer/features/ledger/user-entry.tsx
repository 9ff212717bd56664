import type { ReactNode } from 'react'
import type { UserItem } from '../../../shared/session/state.ts'
import { useSession } from '../../state/desk-context.ts'
import { EntryRow } from '../../ui/ledger/entry-row.tsx'
import { useLedgerSession } from './ledger-session.ts'
import styles from './ledger.module.css'

/**
 * The person's words, the heading of their turn. In a subagent's ledger the task is the words of the agent that sent it, and not in ink: only
 * who steers is the person for sure.
 */
export function UserEntry({ item }: { readonly item: UserItem }): ReactNode {
  const ofAgent = useSession(useLedgerSession(), ({ parent }) => parent !== null, false)
  if (!ofAgent || item.delivery === 'steer')
    return (
      <EntryRow
        shape="turn"
        mark="you"
        at={item.at}
        line={<p>{item.text}</p>}
        // it stands where the agent got it, in the middle of a turn
        effect={item.delivery === 'steer' ? 'steered' : undefined}
        className={styles.turn}
      />
    )
  return (
    <EntryRow shape="prose" mark="proposed" markWord="Said by the agent that sent this one" at={item.at} className={styles.prose}>
      <p className={styles.lines}>{item.text}</p>
    </EntryRow>
  )
}
