import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { QueuedInput } from '../../../shared/session/state.ts'
import { withdrawInput } from '../../state/actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EntryRow } from '../../ui/ledger/entry-row.tsx'
import styles from './composer.module.css'

/** Messages that the agent has not got yet, each to be taken back. */
export function QueueList({ sessionId, queue }: { readonly sessionId: SessionId; readonly queue: readonly QueuedInput[] }): ReactNode {
  const desk = useDesk()
  return (
    <ol className={styles.queue} aria-label="Waiting messages">
      {queue.map((input) => (
        <EntryRow
          key={input.inputId}
          mark="you"
          atWord="waits"
          line={
            <>
              <span className="clip" data-tip={input.text.length > 80 ? input.text.slice(0, 400) : undefined}>
                {input.text}
              </span>
              <span className="soft">{input.delivery === 'steer' ? 'reaches the agent after this round' : 'comes after this turn'}</span>
            </>
          }
          effect={
            <Button variant="quiet" small className={styles.takeBack} onPress={() => withdrawInput(desk, sessionId, input.inputId)}>
              Take back
            </Button>
          }
        />
      ))}
    </ol>
  )
}
