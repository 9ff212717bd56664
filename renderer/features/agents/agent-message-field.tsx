import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { newId, type SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { attemptRequest } from '../../state/commands/attempt-request.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Field } from '../../ui/controls/field.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import styles from './agents.module.css'

export interface AgentMessageFieldProps {
  readonly sessionId: SessionId
  readonly name: string
  readonly onDone: () => void
}

/** A field for a message to a subagent. The message steers the running round or starts a turn. */
export function AgentMessageField({ sessionId, name, onDone }: AgentMessageFieldProps): ReactNode {
  const desk = useDesk()
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  // The field gets the focus, because the user has just opened it and wants to type.
  useEffect(() => field.current?.focus(), [])
  const send = async (): Promise<void> => {
    if (text.trim() === '' || busy) return
    setBusy(true)
    const failed = await attemptRequest(desk, 'The message was not sent', (client) =>
      client.sessions.send({ sessionId, inputId: newId('i'), text: text.trim(), delivery: 'steer' }),
    )
    setBusy(false)
    setTrouble(failed)
    if (!failed) onDone()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.preventDefault()
      onDone()
    } else if (event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault()
      void send()
    }
  }
  return (
    <div className={styles.message}>
      <Field
        ref={field}
        label={`Message to the ${name}`}
        whileEmpty={`Steer the ${name}`}
        rows={2}
        value={text}
        onChange={setText}
        onKeyDown={onKeyDown}
      />
      {trouble && <ErrorNotice happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
      <div className={styles.messageActions}>
        <Button variant="quiet" small keys="Esc" onPress={onDone}>
          Back
        </Button>
        <Button small keys="Enter" busy={busy} busyWord="Sending" onPress={() => void send()}>
          Send
        </Button>
      </div>
    </div>
  )
}
