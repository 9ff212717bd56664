import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { QueuedInput } from '../../../shared/session/state.ts'
import { editInput, sendHeld } from '../../state/inputs.ts'
import { useDesk } from '../../state/desk-context.ts'
import { useBarred } from '../../state/use-barred.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EntryRow } from '../../ui/ledger/entry-row.tsx'
import styles from './composer.module.css'
import { queueWords } from './queue-words.ts'

interface QueueListProps {
  readonly sessionId: SessionId
  readonly queue: readonly QueuedInput[]
}

/** Messages that the agent has not got yet, each with when it will and the way back into the composer. */
export function QueueList({ sessionId, queue }: QueueListProps): ReactNode {
  return (
    <ol className={styles.queue} aria-label="Waiting messages">
      {queue.map((input) => (
        <EntryRow
          key={input.inputId}
          mark="you"
          atWord={input.held ? 'kept' : 'waits'}
          line={
            <>
              <span className="clip" data-tip={input.text.length > 80 ? input.text.slice(0, 400) : undefined}>
                {input.text}
              </span>
              <span className="soft">{queueWords(input)}</span>
            </>
          }
          effect={<Actions sessionId={sessionId} input={input} />}
        />
      ))}
    </ol>
  )
}

function Actions({ sessionId, input }: { readonly sessionId: SessionId; readonly input: QueuedInput }): ReactNode {
  const desk = useDesk()
  const barred = useBarred()
  return (
    <span className={styles.queueActions}>
      {input.held && (
        <Button variant="quiet" small disabledReason={barred} onPress={() => sendHeld(desk, sessionId, input)}>
          Send now
        </Button>
      )}
      <Button
        variant="quiet"
        small
        tip="Takes it back into the field below"
        disabledReason={barred}
        onPress={() => void editInput(desk, sessionId, input)}
      >
        Take back
      </Button>
    </span>
  )
}
