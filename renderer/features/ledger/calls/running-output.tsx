import { type ReactNode, useState } from 'react'
import type { CallItem } from '../../../../shared/session/state.ts'
import { interruptCommand, showCommand } from '../../../state/commands/actions.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { answerCommand } from '../../../state/commands/go-to-terminal.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { byteSize } from '../../../ui/format.ts'
import { Well } from '../../../ui/text/well.tsx'
import { useLedgerSession } from '../ledger-session.ts'

type Stopping = 'not_asked' | 'asked' | 'no_terminal'

/** The last lines of a running command, with buttons to stop it and to open its terminal. */
export function RunningOutput({ call }: { readonly call: CallItem }): ReactNode {
  const desk = useDesk()
  const sessionId = useLedgerSession()
  const [stopping, setStopping] = useState<Stopping>('not_asked')
  const stop = async (): Promise<void> => {
    setStopping('asked')
    if (!(await interruptCommand(desk, sessionId, call.toolCallId))) setStopping('no_terminal')
  }
  return (
    <Well
      label="Output so far"
      text={lastLines(call.tail?.text ?? '')}
      foot={
        <>
          <span>{STOPPING[stopping] ?? `${byteSize(call.tail?.bytes ?? 0)} so far`}</span>
          <Button variant="quiet" small onPress={() => void stop()}>
            Stop command
          </Button>
          <Button
            variant="quiet"
            small
            onPress={() => (call.tail?.waitsForInput ? answerCommand : showCommand)(desk, sessionId, call.toolCallId)}
          >
            {call.tail?.waitsForInput ? 'Answer in Terminal' : 'Open in Terminal'}
          </Button>
        </>
      }
    />
  )
}

/** Lines shown while it runs: enough to see progress without making the view jump. */
const SHOWN_LINES = 8

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n')
}

const STOPPING: Readonly<Partial<Record<Stopping, string>>> = {
  asked: 'Ctrl C was sent. If the command ignores it, use Stop at the top to end the turn.',
  no_terminal: 'It runs without a terminal. Use Stop at the top to end the turn.',
}
