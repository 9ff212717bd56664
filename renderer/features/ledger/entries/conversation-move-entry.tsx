import { memo, type ReactNode } from 'react'
import { isIdle } from '../../../../shared/session/fold/run-state.ts'
import type { MoveItem } from '../../../../shared/session/state.ts'
import { useAgentName } from '../../../state/agents/use-other-agents.ts'
import { agentIn } from '../../../state/commands/actions.ts'
import { goBack } from '../../../state/commands/conversation-actions.ts'
import { useDesk, useOfflineReason, useSession } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { clockTime } from '../../../ui/format.ts'
import { EntryRow } from '../../../ui/ledger/entry-row.tsx'
import { Facts } from '../../../ui/notices/facts.tsx'
import { useLedgerSession } from '../ledger-session.ts'
import { seqOf } from './message-menu.tsx'
import styles from '../ledger.module.css'

/** An entry for a move of the conversation to another point. The entries that the model no longer gets can be restored. */
export const ConversationMoveEntry = memo(function ConversationMoveEntry({ move }: { readonly move: MoveItem }): ReactNode {
  const desk = useDesk()
  const offline = useOfflineReason()
  const sessionId = useLedgerSession()
  const agent = useAgentName(useSession(sessionId, (session) => agentIn(session.config.where), null))
  const isAtRest = useSession(sessionId, isIdle, false)
  const isNewest = useSession(sessionId, ({ moves }) => moves.at(-1)?.seq === seqOf(move), false)
  return (
    <EntryRow
      mark="you"
      at={move.at}
      line={<span className="verb">Moved the conversation to another point</span>}
      effect={<span className={styles.whenNarrow}>{clockTime(move.at)}</span>}
    >
      <Facts
        facts={[
          {
            term: 'Left out',
            fact:
              agent === null
                ? 'The model no longer gets the gray lines above.'
                : `${agent} still remembers the gray lines above. Your next message tells it to disregard them.`,
          },
        ]}
      />
      {isNewest && isAtRest && (
        <Button
          small
          className={styles.below}
          disabledReason={offline}
          onPress={() => goBack(desk, sessionId, { kind: 'before', seq: seqOf(move) })}
        >
          Undo this move
        </Button>
      )}
    </EntryRow>
  )
})
