import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { LeftCommand } from '../../../shared/api/app.ts'
import { requestOrReport } from '../../state/commands/attempt-request.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { clockTime, counted, shortAge } from '../../ui/format.ts'
import { ExactText } from '../../ui/text/exact-text.tsx'
import { TrayFrame } from '../../ui/ledger/tray-frame.tsx'
import styles from './leftovers.module.css'

/** Commands that kept running after Countersign was killed. The user can stop all of them, or choose which ones to keep. */
export function LeftoversNotice(): ReactNode {
  const desk = useDesk()
  const offered = useStore(desk.left, (left) => left.offered)
  if (offered.length === 0) return null
  const isEnding = offered.every((left) => left.isEnding)
  const settle = (left: LeftCommand, decision: 'end' | 'keep'): void => {
    const what = decision === 'end' ? 'The command was not stopped' : 'The command keeps running and will be listed again'
    requestOrReport(desk, what, (client) => client.app.settleLeft({ id: left.id, decision }))
  }
  return (
    <TrayFrame
      mark="note"
      title={offered.length === 1 ? 'A command is still running' : `${offered.length} commands are still running`}
      aside={`Countersign was killed while ${offered.length === 1 ? 'it' : 'they'} ran`}
      answerKeys={offered.some(({ sessionId }) => sessionId !== null) ? 'Mod+J' : undefined}
      foot={
        <>
          <span className={styles.why}>{offered.length === 1 ? 'Its output is kept.' : 'Their output is kept.'}</span>
          <Button
            variant="preferred"
            className="push"
            busy={isEnding}
            busyWord="Stopping"
            onPress={() => offered.filter((left) => !left.isEnding).forEach((left) => settle(left, 'end'))}
          >
            {offered.length === 1 ? 'Stop it' : 'Stop them'}
          </Button>
        </>
      }
    >
      <ul className={styles.list} aria-label="Commands left running" data-left-running="">
        {offered.map((left) => (
          <LeftRow key={left.id} left={left} onKeep={() => settle(left, 'keep')} />
        ))}
      </ul>
    </TrayFrame>
  )
}

function LeftRow({ left, onKeep }: { readonly left: LeftCommand; readonly onKeep: () => void }): ReactNode {
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <div className={styles.command}>
          <ExactText text={left.command} />
        </div>
        <div className={styles.where}>
          {left.folder}
          {left.since !== null && `, since ${sinceWhen(left.since)}`}
          {left.processes > 1 && `, ${counted(left.processes, 'process', 'processes')}`}
        </div>
      </div>
      <Button small disabledReason={left.isEnding ? 'It is already being stopped.' : null} label={`Keep ${left.command}`} onPress={onKeep}>
        Keep
      </Button>
    </li>
  )
}

/** The time if it was today, otherwise the day. */
function sinceWhen(at: number): string {
  const now = Date.now()
  return new Date(at).toDateString() === new Date(now).toDateString() ? clockTime(at) : shortAge(at, now)
}
