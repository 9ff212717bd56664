import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { messageAsTyped } from '../../../shared/session/person-message.ts'
import { messageParts } from '../../state/stores/drafts/pasted-texts.ts'
import type { QueuedInput } from '../../../shared/session/state.ts'
import { aheadOf, editInput, sendHeld, sendSooner } from '../../state/commands/queued-messages.ts'
import { useDesk, useOfflineReason } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EntryRow } from '../../ui/ledger/entry-row.tsx'
import { counted } from '../../ui/format.ts'
import styles from './composer.module.css'

interface QueueListProps {
  readonly sessionId: SessionId
  readonly queue: readonly QueuedInput[]
}

/** Messages that the agent has not received yet, in delivery order. Each can be moved up, or back into the composer. */
export function QueueList({ sessionId, queue }: QueueListProps): ReactNode {
  return (
    <ol className={styles.queue} aria-label="Waiting messages">
      {inTheirOrder(queue).map((input) => (
        <EntryRow
          key={input.inputId}
          mark="you"
          atWord={input.held ? 'kept' : 'waits'}
          line={
            <>
              <WaitingText input={input} />
              <span className="soft">
                {input.text !== '' && input.pictures !== undefined && `with ${pictureWords(input)}; `}
                {queueWords(input)}
              </span>
            </>
          }
          effect={<Actions sessionId={sessionId} queue={queue} input={input} />}
        />
      ))}
    </ol>
  )
}

/** What was typed, without the pasted texts. A message without typed text is named by what it consists of. */
function WaitingText({ input }: { readonly input: QueuedInput }): ReactNode {
  const { typed, texts } = messageParts(messageAsTyped(input))
  const added = texts.length > 0 ? counted(texts.length, 'pasted text') : pictureWords(input)
  return (
    <span className="clip" data-tip={typed.length > 80 ? typed.slice(0, 400) : undefined}>
      {typed === '' ? added : typed}
    </span>
  )
}

/** Puts steering messages before messages that wait for the end of the turn. */
const inTheirOrder = (queue: readonly QueuedInput[]): readonly QueuedInput[] =>
  queue.toSorted((a, b) => Number(a.delivery === 'queue') - Number(b.delivery === 'queue'))

function Actions({ sessionId, queue, input }: QueueListProps & { readonly input: QueuedInput }): ReactNode {
  const desk = useDesk()
  const offline = useOfflineReason()
  return (
    <span className={styles.queueActions}>
      {aheadOf(queue, input) && (
        <Button
          variant="quiet"
          small
          tip="Moves it above the previous message"
          disabledReason={offline}
          onPress={() => sendSooner(desk, sessionId, queue, input)}
        >
          Sooner
        </Button>
      )}
      {input.held && (
        <Button variant="quiet" small disabledReason={offline} onPress={() => sendHeld(desk, sessionId, input)}>
          Send now
        </Button>
      )}
      <Button
        variant="quiet"
        small
        tip="Moves it back into the message field"
        disabledReason={offline}
        onPress={() => void editInput(desk, sessionId, input)}
      >
        Take back
      </Button>
    </span>
  )
}

/** Says when the agent receives a waiting message. */
export function queueWords({ held, delivery }: Pick<QueuedInput, 'held' | 'delivery'>): string {
  if (held)
    return delivery === 'steer'
      ? 'not sent because you stopped: it will be sent with your next message'
      : 'not sent because you stopped: it will be sent after your next turn'
  return delivery === 'steer' ? 'reaches the agent after this round' : 'comes after this turn'
}

/** The number of pictures of a message: `1 picture`. */
function pictureWords({ pictures = [] }: Pick<QueuedInput, 'pictures'>): string {
  return counted(pictures.length, 'picture')
}
