import type { ReactNode } from 'react'
import type { CallItem } from '../../../shared/session/state.ts'
import type { Answer, Signing } from '../../state/stores/approval-desk.ts'
import { copiedCommand } from '../../state/views/request-title.ts'
import { Button } from '../../ui/controls/button.tsx'
import styles from './tray.module.css'

export interface CopyWaysProps {
  readonly call: CallItem
  readonly signing: Signing
  readonly onAnswer: (answer: Answer) => void
}

/** Above the answers: the other way to run a command that has run in a copy. */
export function CopyWays({ call, signing, onAnswer }: CopyWaysProps): ReactNode {
  if (copiedCommand(call) === null || signing.kind === 'answered' || signing.kind === 'void') return null
  return (
    <div className={styles.ways}>
      <Button
        className="push"
        small
        busy={signing.kind === 'sending' && signing.answer === 'run_for_real'}
        disabledReason={signing.kind === 'armed' ? null : 'The request must be on the screen for a moment first'}
        tip="Drops these changes and asks for the command by its words."
        onPress={() => onAnswer({ kind: 'run_for_real' })}
      >
        Run for real instead
      </Button>
    </div>
  )
}
