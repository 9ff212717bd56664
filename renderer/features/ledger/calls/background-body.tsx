import { type ReactNode, useState } from 'react'
import type { CallItem } from '../../../../shared/session/state.ts'
import { endCommand, showCommand } from '../../../state/commands/actions.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { answerCommand } from '../../../state/commands/go-to-terminal.ts'
import { useStanding } from '../../../state/hooks/use-standing.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { backgroundOf } from '../../../ui/calls/commands.ts'
import { useLedgerSession } from '../ledger-session.ts'
import styles from '../ledger.module.css'

/** Below a command that continues after its call: buttons for its terminal, where its output is live. */
export function BackgroundBody({ call }: { readonly call: CallItem }): ReactNode {
  const desk = useDesk()
  const sessionId = useLedgerSession()
  const standing = useStanding(sessionId, call.toolCallId)
  const [isEnding, setEnding] = useState(false)
  const end = async (): Promise<void> => {
    setEnding(true)
    if (!(await endCommand(desk, sessionId, call.toolCallId))) setEnding(false)
  }
  if (standing === null) return null
  return (
    <div className={styles.ways}>
      <Button
        variant="quiet"
        small
        onPress={() => (standing.waitsForInput ? answerCommand : showCommand)(desk, sessionId, call.toolCallId)}
      >
        {standing.waitsForInput ? 'Answer in Terminal' : 'Open in Terminal'}
      </Button>
      {standing.canEnd && (
        <Button variant="quiet" small busy={isEnding} busyWord="Ending" onPress={() => void end()}>
          {`End ${backgroundOf(call)}`}
        </Button>
      )}
    </div>
  )
}
